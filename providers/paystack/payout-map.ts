import type { z } from "zod";
import type { Reply } from "../bearer-calls.ts";
import type { AccountToPay, PayoutOrder, PayoutOutcome } from "../payout-bank.ts";
import type { Domain } from "./map.ts";
import { CodedRefusal, Transfer } from "./payout-replies.ts";

/** Paystack has a transfer with this reference. */
export function isDuplicate({ body }: Reply): boolean {
  const refusal = CodedRefusal.safeParse(body);
  if (!refusal.success) return false;
  return refusal.data.code === "duplicate_transfer_reference" || /reference already exists/i.test(refusal.data.message);
}

/** Paystack never made the transfer. */
export function isTransferNotFound({ status, body }: Reply): boolean {
  const refusal = CodedRefusal.safeParse(body);
  return status === 404 && refusal.success && /transfer not found/i.test(refusal.data.message);
}

const REFUSES = [400, 401, 403, 404, 422];

/** Returns the message of a request that Paystack read and refused. It may have taken one that it answers with 429 or 5xx, or in an unreadable way. */
export function toRefusal({ status, body }: Reply): string | undefined {
  const refusal = CodedRefusal.safeParse(body);
  return REFUSES.includes(status) && refusal.success ? refusal.data.message : undefined;
}

/** The ends of a transfer in which no money has gone. */
const NOT_PAID: Record<string, string> = {
  failed: "The payee's bank did not take it.",
  abandoned: "The bank gave it up.",
  blocked: "The bank stopped it.",
  rejected: "The bank refused it.",
};

/** Reads an answer about a transfer. A status that is not here leaves it undecided. */
export function toPayoutOutcome(order: PayoutOrder, domain: Domain, { status, body }: Reply): PayoutOutcome {
  const read = Transfer.safeParse(body);
  if (status !== 200 || !read.success || !isAbout(order, domain, read.data.data)) return { status: "unknown" };
  const { status: word, session } = read.data.data;
  if (word === "success") return { status: "paid", sessionId: session?.id || null };
  if (word === "reversed") return { status: "reversed", reason: "The payee's bank sent it back." };
  if (word === "otp")
    return { status: "pending", needs: "Turn the one-time passwords for transfers off in Paystack, and finish this one there." };
  const reason = Object.hasOwn(NOT_PAID, word) ? NOT_PAID[word] : undefined;
  return reason === undefined ? { status: "pending" } : { status: "failed", reason };
}

type Data = z.output<typeof Transfer>["data"];
type Details = { account_number?: string | null | undefined; bank_code?: string | null | undefined } | null | undefined;

/** Returns whether details are those of an account. An answer that has none says nothing else. */
const isOf = (details: Details, { accountNumber, bankCode }: AccountToPay): boolean =>
  (!details?.account_number || details.account_number === accountNumber) && (!details?.bank_code || details.bank_code === bankCode);

/** Returns whether an answer is about an order. */
function isAbout(order: PayoutOrder, domain: Domain, data: Data): boolean {
  if (data.reference !== order.reference || data.currency !== "NGN" || data.amount.minor !== order.amount.minor) return false;
  return (data.domain === undefined || data.domain === domain) && isOf(detailsOf(data), order);
}

function detailsOf({ recipient }: Data): Details {
  const isObject = typeof recipient === "object" && recipient !== null && "details" in recipient;
  return isObject ? (recipient.details as Details) : null;
}
