import type { Metadata } from "next";
import { LiveRefresh, NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { payoutOwnerOf } from "#app/(dashboard)/_money-out/payout-owner.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { inSentence, namer } from "#app/(dashboard)/_page/namer.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { PayoutRequests, type RequestRow } from "#components/wallet/payout-requests.tsx";
import { PayoutsList, payoutFilters } from "#components/wallet/payouts-list.tsx";
import type { MemberContext } from "#services/context.ts";
import { listBankAccounts, listOpenRequests, listPayouts } from "#services/payouts/index.ts";
import { readSending } from "../read-sending.ts";
import { SendMoney } from "../send-money.tsx";
import { DecideRequest } from "./decide-request.tsx";
import { nameOfAccount, toPayoutRow } from "./to-view.ts";

export const metadata: Metadata = { title: "Payouts" };

const STATUSES = ["processing", "paid", "failed", "reversed"] as const;

export default async function PayoutsPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/wallet/payouts">) {
  const { ctx, base } = await requireMember(params);
  const now = new Date();
  const path = `${base}/wallet`;
  const accounts = await listBankAccounts(ctx);
  const filters = payoutFilters(accounts.map((account) => ({ value: account.id, label: nameOfAccount(account) })));
  const asked = askedOf(await searchParams, filters);
  const wanted = {
    ...{ status: choiceOf(asked.values.status, STATUSES), bank_account_id: asked.values.account },
    ...createdRangeOf(asked, now),
  };
  const [{ items, place }, sending, requests] = await Promise.all([
    readList(`${path}/payouts`, asked, ({ limit, cursor }) => listPayouts(ctx, { limit: limit ?? 25, cursor, ...wanted })),
    readSending(ctx, base),
    readRequests(ctx, base, accounts),
  ]);
  const isWaiting = items.some(({ status }) => status === "processing");
  return (
    <>
      <PayoutsList
        rows={items.map((payout) => toPayoutRow(payout, path))}
        {...{ filters, place, path, now, values: asked.values }}
        csvHref={csvHref("payouts", ctx.merchant.id, wanted)}
        send={sending && <SendMoney {...sending} />}
        requests={requests.length > 0 && <PayoutRequests requests={requests} now={now} />}
      />
      {isWaiting || requests.length > 0 ? <LiveRefresh isWaiting={isWaiting} /> : asked.cursor === undefined && <NewRows />}
    </>
  );
}

async function readRequests(
  ctx: MemberContext,
  base: string,
  accounts: Awaited<ReturnType<typeof listBankAccounts>>,
): Promise<RequestRow[]> {
  const requests = await listOpenRequests(ctx);
  if (requests.length === 0) return [];
  const [nameOf, owner] = await Promise.all([namer(ctx), payoutOwnerOf(ctx, base)]);
  const may = mayChange(ctx, "payouts:write");
  return requests.map((request) => {
    const { id, amount, bankAccountId, madeBy, createdAt } = request;
    const account = accounts.find((each) => each.id === bankAccountId);
    const to = account ? nameOfAccount(account) : "an account that was removed";
    const isOwn = madeBy.type === "member" && madeBy.id === ctx.actor.id;
    const about = { id, to, owner, isOwn, amount, accountName: account?.accountName ?? "", path: `${base}/wallet` };
    return { id, to, amount, createdAt, madeBy: inSentence(nameOf(madeBy)), actions: may ? deciding(about) : waiting(ctx) };
  });
}

const deciding = (about: Parameters<typeof DecideRequest>[0]) => <DecideRequest {...about} />;
const waiting = (ctx: MemberContext) => <p className="text-fact text-muted">{whoMay(ctx, "payouts:write")}</p>;
