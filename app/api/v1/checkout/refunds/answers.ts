import type { z } from "zod";
import { type Answer, accepted, ok } from "#app/_http/answers.ts";
import type { ErrorCode } from "#lib/problem.ts";
import { newRefundId } from "#lib/references.ts";
import { getRefund, presentRefund, type Refund, RefundAnswer } from "#services/checkout/index.ts";
import type { MerchantContext } from "#services/context.ts";

/** The part of the declaration that all endpoints share that make a refund. */
export const refundRoute = {
  requiresIdempotencyKey: true,
  returns: { 200: RefundAnswer, 202: RefundAnswer },
  errors: ["RESOURCE_NOT_FOUND", "LIMIT_EXCEEDED", "INSUFFICIENT_BALANCE", "PROVIDER_UNAVAILABLE"] satisfies ErrorCode[],
} as const;

/** Returns the body of an answer, which tells the refund's fields beside `success`, as checkout's answers do. */
export const refundAnswer = (refund: Refund): z.output<typeof RefundAnswer> => ({ success: true, ...presentRefund(refund) });

export const refundReplay = {
  newResourceId: ({ merchant }: Pick<MerchantContext, "merchant">) => newRefundId(merchant.number),
  afterLostAnswer: "finds",
  present: async (ctx: MerchantContext, id: string) => refundAnswer(await getRefund(ctx, id)),
} as const;

/** Returns 200 for a refund that is decided, also a failed one, and 202 while it is not. */
export const answerWithRefund = (refund: Refund): Answer =>
  (refund.status === "processing" || refund.status === "needs_account" ? accepted : ok)(refundAnswer(refund));
