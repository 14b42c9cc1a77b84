import { type Answer, accepted, ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import type { ErrorCode } from "#lib/problem.ts";
import { newPayoutId } from "#lib/references.ts";
import type { MerchantContext } from "#services/context.ts";
import { getPayout, type Payout, PayoutObject, presentPayout } from "#services/payouts/index.ts";

/** The part of the declaration that all endpoints share that make a payout. */
export const payoutRoute = {
  requiresIdempotencyKey: true,
  returns: { 200: dataOf(PayoutObject), 202: dataOf(PayoutObject) },
  errors: ["RESOURCE_NOT_FOUND", "LIMIT_EXCEEDED", "PRICE_CHANGED", "INSUFFICIENT_BALANCE", "PROVIDER_UNAVAILABLE"] satisfies ErrorCode[],
} as const;

export const payoutReplay = {
  newResourceId: ({ merchant }: Pick<MerchantContext, "merchant">) => newPayoutId(merchant.number),
  afterLostAnswer: "finds",
  present: async (ctx: MerchantContext, id: string) => ({ data: presentPayout(await getPayout(ctx, id)) }),
} as const;

/** Returns 200 for a payout that the bank has decided, also a failed one, and 202 while it has not. */
export const answerWithPayout = (payout: Payout): Answer =>
  (payout.status === "processing" ? accepted : ok)({ data: presentPayout(payout) });
