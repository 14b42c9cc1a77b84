import type { z } from "zod";
import type { AccountReading, BankNotice, KeptTransfer, ReturnOutcome } from "../bank.ts";
import type { Reply } from "./client.ts";
import { PaidTransaction, Refunds, Refusal, Transaction } from "./replies.ts";

/** Test keys have one domain, live keys the other. What says the other domain is not about our money. */
export type Domain = "test" | "live";

/** What the bank holds of a transaction, by its status. A status that is not here is unknown. */
const ARRIVED: Record<string, "nothing" | "kept" | "taken back"> = {
  ...{ ongoing: "nothing", pending: "nothing", processing: "nothing", queued: "nothing" },
  // Paystack changes these to `success` if exact money came after all.
  ...{ abandoned: "nothing", failed: "nothing" },
  // "reversal pending" is not here: it may still end either way.
  ...{ success: "kept", reversed: "taken back" },
};

const isNotFound = ({ status, body }: Reply): boolean => {
  const refusal = Refusal.safeParse(body);
  return (status === 400 || status === 404) && refusal.success && /transaction reference not found/i.test(refusal.data.message);
};

/** Reads the answer to `GET /transaction/verify/REFERENCE`. */
export function toReading(reference: string, domain: Domain, reply: Reply): AccountReading {
  if (isNotFound(reply)) return { status: "not_found" };
  const read = Transaction.safeParse(reply.body);
  if (reply.status !== 200 || !read.success) return { status: "unknown" };
  const { data } = read.data;
  const arrived = Object.hasOwn(ARRIVED, data.status) ? ARRIVED[data.status] : undefined;
  if (arrived === undefined || data.reference !== reference || data.domain !== domain) return { status: "unknown" };
  if (arrived === "nothing") return { status: "read", transfers: [] };
  const paid = PaidTransaction.safeParse(data);
  if (!paid.success || !isTransfer(paid.data)) return { status: "unknown" };
  return { status: "read", transfers: [arrived === "kept" ? toKept(paid.data) : toTakenBack(paid.data)] };
}

/** Returns whether a transaction was paid by bank transfer in Naira. Paystack's other products have transactions too. */
export const isTransfer = ({ channel, currency }: Pick<z.output<typeof PaidTransaction>, "channel" | "currency">): boolean =>
  channel === "bank_transfer" && currency === "NGN";

/** Returns the statement that Paystack keeps the money of a transaction: the same for its notice and for a reading. */
export function toKept(paid: z.output<typeof PaidTransaction>): BankNotice {
  const { sender_name, sender_bank, sender_bank_account_number } = paid.authorization ?? {};
  return {
    noticeId: `charge.success:${paid.id}`,
    sessionId: paid.id,
    accountReference: paid.reference,
    accountNumber: null,
    amount: paid.amount,
    senderName: sender_name || null,
    senderBank: sender_bank || null,
    senderAccountLast4: /(\d{4})$/.exec(sender_bank_account_number ?? "")?.[1] ?? null,
    receivedAt: paid.paid_at,
    returnedBecause: null,
  };
}

const toTakenBack = (paid: z.output<typeof PaidTransaction>): BankNotice => ({
  ...toKept(paid),
  noticeId: `reversed:${paid.id}`,
  returnedBecause: "recalled",
});

const REFUNDS: Record<string, ReturnOutcome> = {
  ...{ pending: "pending", processing: "pending", processed: "returned" },
  ...{ "needs-attention": "needs_details", failed: "failed" },
};

export const outcomeOfRefund = (status: string): ReturnOutcome => (Object.hasOwn(REFUNDS, status) && REFUNDS[status]) || "unknown";

/** Of several refunds that have not sent the whole amount back, the first of these says how the return stands. */
const ORDER: ReturnOutcome[] = ["unknown", "pending", "needs_details"];

/**
 * Reads the answer to `GET /refund?transaction=ID`: how the return of an amount stands, `none` if nobody asked for a refund. A part of the amount
 * that went back is a failed return: the rest is still to be sent, and operators decide how.
 */
export function toReturn(
  { sessionId, amount }: Pick<KeptTransfer, "sessionId" | "amount">,
  { status, body }: Reply,
): ReturnOutcome | "none" {
  const listed = Refunds.safeParse(body);
  if (status !== 200 || !listed.success) return "unknown";
  const refunds = listed.data.data;
  // Rows of another transaction say that Paystack did not understand the question.
  if (refunds.some(({ transaction }) => transaction !== sessionId)) return "unknown";
  if (refunds.length === 0) return "none";
  const outcomes = refunds.map((refund) => outcomeOfRefund(refund.status));
  const sent = refunds.reduce((sum, refund, n) => (outcomes[n] === "returned" ? sum + refund.amount.minor : sum), 0n);
  return sent >= amount.minor ? "returned" : (ORDER.find((outcome) => outcomes.includes(outcome)) ?? "failed");
}
