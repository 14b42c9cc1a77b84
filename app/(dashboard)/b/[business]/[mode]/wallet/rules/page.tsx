import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { payoutOwnerOf } from "#app/(dashboard)/_money-out/payout-owner.ts";
import { mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { PayoutRules } from "#components/wallet/payout-rules.tsx";
import { lagosDateTime } from "#lib/time.ts";
import { getPayoutFee, getPayoutRoom, getPayoutRules, listBankAccounts } from "#services/payouts/index.ts";
import { nameOfAccount } from "../payouts/to-view.ts";
import { ChangeRules } from "./change-rules.tsx";
import { toChoices, toRules, toServiceRules } from "./to-view.ts";

export const metadata: Metadata = { title: "Payout rules" };

export default async function RulesPage({ params }: PageProps<"/b/[business]/[mode]/wallet/rules">) {
  const { ctx, base } = await requireMember(params);
  const [{ now, next }, accounts, { limits }, fee, owner] = await Promise.all([
    getPayoutRules(ctx),
    listBankAccounts(ctx),
    getPayoutRoom(ctx),
    getPayoutFee(ctx),
    payoutOwnerOf(ctx, base),
  ]);
  const names = new Map(accounts.map((account) => [account.id, nameOfAccount(account)]));
  return (
    <PayoutRules
      own={toRules(now, names)}
      next={next?.validFrom ? { from: `${lagosDateTime(next.validFrom)} (West Africa Time)`, rules: toRules(next, names) } : undefined}
      service={toServiceRules(limits, fee)}
      path={`${base}/wallet`}
      isLive={ctx.merchant.mode === "live"}
      change={
        mayChange(ctx, "settings:write") ? (
          <ChangeRules owner={owner} rules={toChoices(now)} accounts={accounts.map(({ id }) => ({ id, to: names.get(id) ?? "" }))} />
        ) : (
          <p className="text-fact text-muted">{whoMay(ctx, "settings:write")}</p>
        )
      }
    />
  );
}
