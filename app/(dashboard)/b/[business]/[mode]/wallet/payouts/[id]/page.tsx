import type { Metadata } from "next";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { found } from "#app/(dashboard)/_page/found.ts";
import { namer } from "#app/(dashboard)/_page/namer.ts";
import { PayoutView } from "#components/wallet/payout-view.tsx";
import { getPayout } from "#services/payouts/index.ts";
import { nameOfAccount, toEntries } from "../to-view.ts";

export const metadata: Metadata = { title: "Payout" };

export default async function PayoutPage({ params }: PageProps<"/b/[business]/[mode]/wallet/payouts/[id]">) {
  const { ctx, base } = await requireMember(params);
  const { id } = await params;
  const payout = await found(getPayout(ctx, id));
  const nameOf = await namer(ctx);
  const { accountName, status, amount, fee, total, reference, sessionId, narration, madeBy, approvedBy, automaticFor } = payout;
  return (
    <>
      <PayoutView
        {...{ accountName, status, amount, fee, total, reference, sessionId, narration }}
        to={nameOfAccount(payout)}
        madeBy={automaticFor === null ? nameOf(madeBy) : "Your rule for automatic payouts"}
        approvedBy={approvedBy && nameOf(approvedBy)}
        entries={toEntries(payout, nameOf)}
        listHref={`${base}/wallet/payouts`}
        now={new Date()}
      />
      <LiveRefresh isWaiting={status === "processing"} />
    </>
  );
}
