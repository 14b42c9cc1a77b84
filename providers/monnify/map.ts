import type { z } from "zod";
import type { Money } from "#lib/money.ts";
import type { AccountReading, AccountToRead, BankNotice } from "../bank.ts";
import type { Reply } from "../bearer-calls.ts";
import { isNotFound, type Paid, PaidTransaction, type Rejected, type Source, Transaction } from "./replies.ts";

/** What Monnify holds of a transaction, by its status. A status that is not here is unknown. */
const ARRIVED: Record<string, "nothing" | "kept" | "taken back"> = {
  ...{ PENDING: "nothing", ABANDONED: "nothing", CANCELLED: "nothing", FAILED: "nothing", EXPIRED: "nothing" },
  ...{ PAID: "kept", OVERPAID: "kept", PARTIALLY_PAID: "kept", REVERSED: "taken back" },
};

const unclear = (what: string): AccountReading => ({ status: "unknown", unclear: `Monnify says ${what}.` });

/** Reads the answer to `GET /api/v2/merchant/transactions/query?paymentReference=REFERENCE`. */
export function toReading(account: AccountToRead, reply: Reply): AccountReading {
  if (isNotFound(reply)) return { status: "not_found" };
  const read = Transaction.safeParse(reply.body);
  if (reply.status !== 200 || !read.success || read.data.responseBody.paymentReference !== account.reference) return { status: "unknown" };
  const { paymentStatus, amountPaid } = read.data.responseBody;
  switch (Object.hasOwn(ARRIVED, paymentStatus) ? ARRIVED[paymentStatus] : undefined) {
    case "nothing":
      if (amountPaid && amountPaid.minor > 0n) return unclear("that money came for a payment that is not paid");
      return { status: "read", transfers: [] };
    case "kept":
      return toKeptReading(account, reply.body);
    case "taken back":
      // It is not documented whether our own refunds do that.
      return unclear("that a payment was reversed. It may be a dispute, or a refund of ours");
    default:
      return { status: "unknown" };
  }
}

/** A reading tells one sum. Whether several payments are in it, and which of them was exact, it does not say clearly. */
function toKeptReading({ amount }: AccountToRead, body: unknown): AccountReading {
  const paid = PaidTransaction.safeParse(body).data?.responseBody;
  if (!paid || !isTransfer(paid)) return { status: "unknown" };
  if (!isOneSource(paid)) return unclear("that an account was paid more than once, or not by whom");
  if (!agrees(paid, amount)) return unclear(`${paid.paymentStatus} of a payment whose amount contradicts that`);
  return { status: "read", transfers: [toKept(paid)] };
}

/** Returns whether a transaction was paid by bank transfer in Naira. Monnify's other products have transactions too. */
export const isTransfer = ({ paymentMethod, currency }: Pick<Paid, "paymentMethod" | "currency">): boolean =>
  (paymentMethod ?? "ACCOUNT_TRANSFER") === "ACCOUNT_TRANSFER" && (currency ?? "NGN") === "NGN";

const sourcesOf = (paid: Paid): Source[] => [...paid.accountPayments, ...paid.paymentSourceInformation];

/** Returns whether money came from one source, which sent all of it. */
export function isOneSource(paid: Paid): boolean {
  const [source, ...others] = sourcesOf(paid);
  return others.length === 0 && source?.amountPaid.minor === paid.amountPaid.minor;
}

/** Returns whether the status of money that came says the same as its amount, of an amount that was due. */
export function agrees({ paymentStatus, amountPaid }: Paid, due: Money): boolean {
  if (paymentStatus === "PAID") return amountPaid.minor === due.minor;
  return paymentStatus === "OVERPAID" ? amountPaid.minor > due.minor : amountPaid.minor < due.minor;
}

/**
 * Returns the statement that Monnify keeps money: the same for a notice and for a reading. A reading tells no session of the interbank transfer, so
 * Monnify's reference names the payment, whatever its amount: a later sum of the same transaction then contradicts the first, and moves nothing.
 */
export function toKept(paid: Paid): BankNotice {
  const [source] = sourcesOf(paid);
  const sessionId = paid.transactionReference;
  return {
    ...{ noticeId: `kept:${sessionId}:${paid.amountPaid.minor}`, sessionId, accountReference: paid.paymentReference, accountNumber: null },
    ...{ amount: paid.amountPaid, ...senderOf(source), receivedAt: paid.paidOn, returnedBecause: null },
  };
}

/** Returns the statement that Monnify sent money back. The reasons but one are not documented; the amount says which it is. */
export function toRejected(rejected: z.output<typeof Rejected>): BankNotice {
  const [source] = rejected.paymentSourceInformation;
  const session = source?.sessionId || `${rejected.transactionReference}:${rejected.created_on.getTime()}`;
  return {
    ...{ noticeId: `rejected:${session}`, sessionId: `rejected:${session}`, accountReference: rejected.paymentReference },
    ...{ accountNumber: null, amount: source?.amountPaid ?? null, ...senderOf(source), receivedAt: rejected.created_on },
    returnedBecause: rejected.paymentRejectionInformation.rejectionReason === "UNDER_PAYMENT" ? "underpaid" : "other",
  };
}

const senderOf = (source: Source | undefined) => ({
  senderName: source?.accountName || null,
  // Monnify tells the code of the bank, not its name.
  senderBank: null,
  senderAccountLast4: /(\d{4})$/.exec(source?.accountNumber ?? "")?.[1] ?? null,
});
