import { log } from "#lib/log.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { KeptTransfer } from "../bank.ts";
import { type Call, NO_ANSWER, type Reply, TIMEOUT_MS } from "../bearer-calls.ts";
import { withCleanWords } from "../clean-words.ts";
import { outcomeWithoutAnswer } from "../not-sent.ts";
import type { RefundOrder, RefundOutcome, Refunds } from "../refunds.ts";
import { refundOf, toRefundOutcome, toRefundRows } from "./map.ts";
import { Refund } from "./replies.ts";

/** More refunds than a payment has (services/checkout/refunds/create-refund.ts). A full page may not be all. */
const PAGE = 100;

/** Lists the refunds of a transaction. Undefined for an unclear answer, and for one that may leave some out. */
export async function listRefunds(call: Call, transactionId: string) {
  const query = new URLSearchParams({ transaction: transactionId, perPage: String(PAGE) });
  const rows = toRefundRows(transactionId, await call("GET", `/refund?${query}`).catch(() => NO_ANSWER));
  return rows !== undefined && rows.length < PAGE ? rows : undefined;
}

/** Returns the refund that an answer says was made of a transaction, or undefined where it does not clearly say so. */
export function madeRefund({ status, body }: Reply, { sessionId, amount }: Pick<KeptTransfer, "sessionId" | "amount">) {
  const refund = Refund.safeParse(body).data?.data;
  const isAbout = status === 200 && refund?.transaction === sessionId && refund.amount.minor === amount.minor;
  if (!isAbout) log().warn({ provider: "paystack", status, sessionId }, "Paystack did not confirm that it makes a refund");
  return isAbout ? refund : undefined;
}

/** An order goes out within this time from the begin, so that it ends within the time of any order (services/money-out/schedule.ts). */
const MAX_BEFORE_ORDER_MS = 2_000 + TIMEOUT_MS;

/**
 * Returns Paystack's refunds. It takes no reference of ours and would make a second refund for a repeated order, so ours is its note for the merchant, and
 * the refunds of the transaction are listed before an order.
 */
export const paystackRefunds = (call: Call): Refunds =>
  withCleanWords({
    visibleWithinMs: MINUTE_MS,

    async refund(order) {
      const elapsedMs = startStopwatch();
      const before = await readRefund(call, order);
      if (before.status !== "not_found") return before;
      if (elapsedMs() > MAX_BEFORE_ORDER_MS) return { status: "failed", reason: "The bank took too long." };
      return makeRefund(call, order);
    },

    readRefund: (order) => readRefund(call, order),
  });

async function makeRefund(call: Call, { reference, sessionId, amount }: RefundOrder): Promise<RefundOutcome> {
  try {
    const reply = await call("POST", "/refund", { transaction: sessionId, amount: String(amount.minor), merchant_note: reference });
    const refund = madeRefund(reply, { sessionId, amount });
    // The words of refusals are not a promise, so the worker decides, which reads the refunds when one would be there.
    return refund ? toRefundOutcome(refund) : { status: "unknown" };
  } catch (error) {
    return outcomeWithoutAnswer(error);
  }
}

async function readRefund(call: Call, order: RefundOrder): Promise<RefundOutcome | { status: "not_found" }> {
  const refunds = await listRefunds(call, order.sessionId);
  if (refunds === undefined) return { status: "unknown" };
  const own = refundOf(order, refunds);
  if (own === undefined) return { status: "not_found" };
  return own === "unclear" ? { status: "unknown" } : toRefundOutcome(own);
}
