import type { z } from "zod";
import type { AccountReading, BankNotice, KeptTransfer, ReturnOutcome } from "../bank.ts";
import type { Reply } from "../bearer-calls.ts";
import type { RefundOrder, RefundOutcome } from "../refunds.ts";
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

/** Returns the statement that a payment which reads as taken back is kept. */
export const asKept = (transfer: BankNotice): BankNotice => ({
  ...transfer,
  noticeId: `charge.success:${transfer.sessionId}`,
  returnedBecause: null,
});

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

type RefundRows = z.output<typeof Refunds>["data"];

/** Reads the answer to `GET /refund?transaction=ID`. Undefined for an unclear one: rows of another transaction say that Paystack did not understand. */
export function toRefundRows(transactionId: string, { status, body }: Reply): RefundRows | undefined {
  const listed = Refunds.safeParse(body);
  if (status !== 200 || !listed.success) return undefined;
  return listed.data.data.every(({ transaction }) => transaction === transactionId) ? listed.data.data : undefined;
}

/** Of several refunds that have not sent the whole amount back, the first of these says how the return stands. */
const ORDER: ReturnOutcome[] = ["unknown", "pending", "needs_details"];

/**
 * Returns how the return of an amount stands by the refunds of its transaction, `none` if nobody asked for one. A part of the amount that went back is a
 * failed return: the rest is still to be sent, and operators decide how.
 */
export function toReturn({ amount }: Pick<KeptTransfer, "amount">, refunds: RefundRows | undefined): ReturnOutcome | "none" {
  if (refunds === undefined) return "unknown";
  if (refunds.length === 0) return "none";
  const outcomes = refunds.map((refund) => outcomeOfRefund(refund.status));
  return sumOfReturned(refunds) >= amount.minor ? "returned" : (ORDER.find((outcome) => outcomes.includes(outcome)) ?? "failed");
}

const sumOfReturned = (refunds: RefundRows): bigint =>
  refunds.reduce((sum, { status, amount }) => (outcomeOfRefund(status) === "returned" ? sum + amount.minor : sum), 0n);

/** A refund that we ask for by a merchant's order has our reference as its note. */
const OUR_NOTE = /^rfd_[0-9a-z]{10,60}$/;

/**
 * Returns why the money of a paid transaction that reads as reversed is gone: our own refunds, which are booked as such, or a recall by somebody else. It
 * is unknown while refunds have sent only a part of it back, where both did, and for a refund without a note, which may be either.
 */
export function whyGone({ amount }: Pick<KeptTransfer, "amount">, refunds: RefundRows | undefined): "refunds" | "recall" | "unknown" {
  if (refunds === undefined) return "unknown";
  const started = refunds.filter(({ status }) => outcomeOfRefund(status) !== "failed");
  const isOurs = ({ merchant_note: note }: RefundRows[number]) => OUR_NOTE.test(note ?? "");
  // Without a refund it was taken back in another way, as after a dispute. One of ours that failed may have been meant.
  if (started.length === 0) return refunds.some(isOurs) ? "unknown" : "recall";
  const isWhole = sumOfReturned(started) >= amount.minor;
  const isEachNoted = started.every(({ merchant_note: note }) => note);
  if (!isWhole || !isEachNoted) return "unknown";
  if (started.every(isOurs)) return "refunds";
  return refunds.some(isOurs) ? "unknown" : "recall";
}

/** Returns the refund that an order made, by its id or our note. `unclear`: one of its amount has no note, is no other refund of ours, and may be it. */
export function refundOf(
  { reference, bankReference, otherBankReferences, amount }: RefundOrder,
  refunds: RefundRows,
): RefundRows[number] | "unclear" | undefined {
  const own = refunds.find(({ id, merchant_note: note }) => id === bankReference || note === reference);
  if (own) return own.amount.minor === amount.minor ? own : "unclear";
  const mayBeIt = ({ id, merchant_note: note, amount: its }: RefundRows[number]) =>
    !note && its.minor === amount.minor && !otherBankReferences.includes(id);
  return refunds.some(mayBeIt) ? "unclear" : undefined;
}

const NEEDS_DETAILS = "Give Paystack the payer's account: the refund waits for it there.";

/** Returns the outcome of a refund by its status. A status that is not known decides nothing. */
export function toRefundOutcome({ id: bankReference, status }: RefundRows[number]): RefundOutcome {
  switch (outcomeOfRefund(status)) {
    case "returned":
      return { status: "paid", sessionId: null, bankReference };
    case "failed":
      return { status: "failed", reason: "The payer's bank did not take it.", bankReference };
    case "needs_details":
      return { status: "pending", needs: NEEDS_DETAILS, bankReference };
    case "pending":
      return { status: "pending", bankReference };
    default:
      return { status: "unknown", bankReference };
  }
}
