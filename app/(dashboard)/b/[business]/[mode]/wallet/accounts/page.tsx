import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { payoutOwnerOf } from "#app/(dashboard)/_money-out/payout-owner.ts";
import { mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { namer } from "#app/(dashboard)/_page/namer.ts";
import { AccountsList } from "#components/wallet/accounts-list.tsx";
import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "#services/context.ts";
import { listBankAccounts, listBanks } from "#services/payouts/index.ts";
import { AddAccount } from "./add-account.tsx";
import { RemoveAccount } from "./remove-account.tsx";
import { toAccountRow } from "./to-view.ts";

export const metadata: Metadata = { title: "Bank accounts" };

export default async function AccountsPage({ params }: PageProps<"/b/[business]/[mode]/wallet/accounts">) {
  const { ctx, base } = await requireMember(params);
  const mayAdd = mayChange(ctx, "bank_accounts:write");
  const [accounts, nameOf, owner, banks] = await Promise.all([
    listBankAccounts(ctx),
    namer(ctx),
    payoutOwnerOf(ctx, base),
    mayAdd ? readBanks(ctx) : undefined,
  ]);
  return (
    <AccountsList
      rows={accounts.map((account) => {
        const row = toAccountRow(account, nameOf(account.madeBy));
        const remove = mayAdd && <RemoveAccount id={account.id} to={row.to} merchantId={ctx.merchant.id} />;
        return { ...row, remove };
      })}
      path={`${base}/wallet`}
      add={banks && <AddAccount owner={owner} banks={banks.list} problem={banks.problem} />}
      whoMay={mayAdd ? undefined : whoMay(ctx, "bank_accounts:write")}
      isLive={ctx.merchant.mode === "live"}
    />
  );
}

/** Returns the banks, or why they cannot be listed now. */
async function readBanks(ctx: MemberContext) {
  try {
    return { list: await listBanks(ctx), problem: undefined };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { list: [], problem: error.message };
  }
}
