import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { FeesAndLimits } from "#components/settings/fees-and-limits.tsx";
import { listFees } from "#services/cards/index.ts";
import { findCurrentRate } from "#services/exchange/index.ts";
import { getPayoutFee, getPayoutRoom } from "#services/payouts/index.ts";
import { SettingsTabs } from "../tabs.tsx";
import { toFees, toLimits, toRates } from "./to-view.ts";

export const metadata: Metadata = { title: "Fees and limits" };

export default async function FeesPage({ params }: PageProps<"/b/[business]/[mode]/settings/fees">) {
  const page = await requireMember(params);
  const closed = closedTo(page, "wallet:read", "Fees and limits");
  if (closed) return closed;
  const { ctx } = page;
  const [fees, rate, payoutFee, { limits }] = await Promise.all([
    listFees(ctx),
    findCurrentRate(ctx),
    getPayoutFee(ctx),
    getPayoutRoom(ctx),
  ]);
  return (
    <FeesAndLimits
      tabs={<SettingsTabs page={page} current="fees" />}
      fees={toFees(fees, payoutFee)}
      rates={toRates(rate)}
      limits={toLimits(ctx.merchant, limits)}
    />
  );
}
