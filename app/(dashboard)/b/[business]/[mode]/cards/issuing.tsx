import type { ReactNode } from "react";
import type { Page } from "#app/_people/find-member.ts";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { Problem } from "#lib/problem.ts";
import { type Cardholder, listCardholders, listRates } from "#services/cards/index.ts";
import { CreateCardholder } from "./create-cardholder.tsx";
import { IssueCard, type IssueFee } from "./issue-card.tsx";
import { fullName } from "./to-view.ts";

/** The cardholders that the form offers. Others are found in their list. */
const MAX_OFFERED = 100;

/** Returns the way to a new card, or why there is none; undefined for readers who may not issue. */
export async function issuing({ ctx, base }: Page): Promise<ReactNode | undefined> {
  const { merchant } = ctx;
  if (!mayChange(ctx, "cards:write")) return undefined;
  if (merchant.issuer === null) return <NotSetUp />;
  const path = `${base}/cards`;
  const [approved, fee] = await Promise.all([listCardholders(ctx, { limit: MAX_OFFERED, kyc_status: "APPROVED" }), issueFeeOf(ctx)]);
  if (approved.items.length === 0) {
    const others = await listCardholders(ctx, { limit: 1 });
    if (others.items.length === 0) return <CreateCardholder path={path} />;
  }
  return (
    <IssueCard
      path={path}
      holders={approved.items.map(({ id, email, ...name }) => ({ id, name: fullName(name), email }))}
      hasMore={approved.nextCursor !== null}
      fee={fee}
    />
  );
}

/** Returns the way to a card of one cardholder. */
export async function issuingTo({ ctx, base }: Page, holder: Cardholder): Promise<ReactNode | undefined> {
  if (!mayChange(ctx, "cards:write") || holder.kycStatus !== "APPROVED") return undefined;
  if (ctx.merchant.issuer === null) return <NotSetUp />;
  const { id, email } = holder;
  return <IssueCard path={`${base}/cards`} holders={[{ id, name: fullName(holder), email }]} hasMore={false} fee={await issueFeeOf(ctx)} />;
}

export const NotSetUp = () => (
  <p className="max-w-[45ch] text-fact text-muted">Cards are not set up in live mode yet. Ask the people who run this service.</p>
);

/** Returns what a card costs, or `unknown` while no exchange rate is valid. */
async function issueFeeOf(ctx: Page["ctx"]): Promise<IssueFee> {
  try {
    const [rate] = await listRates(ctx);
    return rate ? { dollars: rate.issue_fee, rate: rate.fund_rate } : "unknown";
  } catch (error) {
    if (error instanceof Problem && error.code === "PROVIDER_UNAVAILABLE") return "unknown";
    throw error;
  }
}
