import { type Money, toMajorNumber } from "#lib/money.ts";
import { HOUR_MS } from "#lib/time.ts";
import { type Call, NO_ANSWER, type Reply } from "../bearer-calls.ts";
import { withCleanWords } from "../clean-words.ts";
import { outcomeWithoutAnswer } from "../not-sent.ts";
import type { RefundOrder, RefundOutcome, Refunds } from "../refunds.ts";
import { isNotFound, Refund } from "./replies.ts";

export interface RefundRequest {
  /** Our reference for the refund. */
  reference: string;
  /** Monnify's reference of the transaction that paid. */
  transactionReference: string;
  amount: Money;
}

const requestOf = ({ reference, sessionId, amount }: RefundOrder): RefundRequest => ({
  reference,
  transactionReference: sessionId,
  amount,
});

/** Returns Monnify's refunds. Each has a reference of ours, under which Monnify makes one. It is not documented how soon a refund can be read. */
export const monnifyRefunds = (call: Call): Refunds =>
  withCleanWords({
    visibleWithinMs: HOUR_MS,
    async refund(order) {
      try {
        return await requestRefund(call, requestOf(order), "Refund of a payment");
      } catch (error) {
        return outcomeWithoutAnswer(error);
      }
    },
    readRefund: (order) => readRefundOf(call, requestOf(order)),
  });

/** Asks for a refund. `reason` has at most 64 characters. Rejects where no answer came. */
export async function requestRefund(call: Call, request: RefundRequest, reason: string): Promise<RefundOutcome> {
  const { reference, transactionReference, amount } = request;
  const reply = await call("POST", "/api/v1/refunds/initiate-refund", {
    ...{
      transactionReference,
      refundReference: reference,
      refundAmount: toMajorNumber(amount),
      refundReason: reason,
      customerNote: "Refund",
    },
  });
  const outcome = toOutcome(request, reply);
  if (outcome.status !== "unknown") return outcome;
  // Monnify may refuse a repeated reference with words that are not documented. So a refusal decides nothing.
  const reading = await readRefundOf(call, request);
  return reading.status === "not_found" ? { status: "unknown" } : reading;
}

export async function readRefundOf(call: Call, request: RefundRequest): Promise<RefundOutcome | { status: "not_found" }> {
  const reply = await call("GET", `/api/v1/refunds/${encodeURIComponent(request.reference)}`).catch(() => NO_ANSWER);
  return isNotFound(reply) ? { status: "not_found" } : toOutcome(request, reply);
}

/**
 * Reads an answer about a refund. A status that is not here leaves it undecided. Our reference is Monnify's too: with it the answer says that Monnify has
 * taken the order, so that a reading which does not find it later decides nothing.
 */
function toOutcome({ reference, transactionReference, amount }: RefundRequest, { status, body }: Reply): RefundOutcome {
  const refund = Refund.safeParse(body).data?.responseBody;
  const isAbout =
    refund?.refundReference === reference &&
    refund.refundAmount.minor === amount.minor &&
    (refund.transactionReference ?? transactionReference) === transactionReference;
  if (status !== 200 || !isAbout) return { status: "unknown" };
  switch (refund.refundStatus) {
    case "COMPLETED":
      return { status: "paid", sessionId: null, bankReference: reference };
    case "FAILED":
      return { status: "failed", reason: "The payer's bank did not take it.", bankReference: reference };
    default:
      return { status: "pending", bankReference: reference };
  }
}
