import { z } from "zod";
import { money } from "#lib/money.ts";
import type { CardholderState, IssuedCard, OperationOutcome, OperationQuestion, OperationType, SpendTransaction } from "../issuer.ts";
import type { Reply } from "./signed-calls.ts";

const cents = z
  .number()
  .int()
  .transform((amount) => money(BigInt(amount), "USD"));

const expiry = z
  .string()
  .regex(/^(0[1-9]|1[0-2])\/\d\d$/)
  .transform((text) => ({ expiryMonth: Number(text.slice(0, 2)), expiryYear: 2000 + Number(text.slice(3)) }));

export const Person = z.object({ personId: z.string(), memo: z.string(), verification: z.enum(["SUBMITTED", "VERIFIED", "DENIED"]) });

export const People = z.object({ people: z.array(Person) });

const Accepted = z.object({ requestId: z.string(), memo: z.string(), outcome: z.literal("QUEUED") });

export const RequestRow = z.object({
  requestId: z.string(),
  memo: z.string(),
  verb: z.string(),
  outcome: z.string(),
  rejection: z.string().nullable(),
  amountInCents: cents,
  cardToken: z.string(),
  lastFour: z
    .string()
    .regex(/^\d{4}$/)
    .optional(),
  expires: expiry.optional(),
});

export const Requests = z.object({ items: z.array(RequestRow), page: z.number(), pages: z.number() });

export const CardRow = z.object({ cardToken: z.string(), state: z.enum(["ORDERED", "OPEN", "LOCKED", "CLOSED"]), spendableInCents: cents });

export const Spending = z.object({ cardToken: z.string(), rows: z.array(z.unknown()), page: z.number(), pages: z.number() });

export const SpendingRow = z.object({
  txId: z.string(),
  event: z.enum(["authorization", "clearing", "reversal", "refund", "decline", "fee"]),
  amountInCents: cents,
  parentTxId: z.string().nullable(),
  shop: z.string(),
  shopCategory: z.number(),
  shopPlace: z.string(),
  why: z.string().nullable(),
  epochMs: z.number(),
});

export const Secrets = z.object({ cardToken: z.string(), pan: z.string(), securityCode: z.string(), expires: expiry });

export const ProblemReply = z.object({ problem: z.string() });

export const STATES = { OPEN: "ACTIVE", LOCKED: "FROZEN", CLOSED: "TERMINATED" } as const;

export type RequestRow = z.output<typeof RequestRow>;

export type SpendingRow = z.output<typeof SpendingRow>;

export function toCardholder({ personId: providerReference, verification }: z.output<typeof Person>): CardholderState {
  if (verification === "DENIED") {
    return { providerReference, kyc: { status: "REJECTED", reason: "The identity could not be confirmed." } };
  }
  return { providerReference, kyc: { status: verification === "VERIFIED" ? "APPROVED" : "PENDING" } };
}

/** Returns whether a reply is the issuer's own refusal, and not the error of a gateway in between. */
export const isRefusal = (status: number, body: unknown) => status === 400 && ProblemReply.safeParse(body).success;

const VERBS: Record<OperationType, string> = {
  issue: "NEW_CARD",
  fund: "LOAD",
  unload: "WITHDRAW",
  freeze: "LOCK",
  unfreeze: "UNLOCK",
  terminate: "CLOSE",
};

/** Returns whether a row answers a question. The amount of a load must be exact; a withdrawal may have taken less than was requested. */
export function isAbout({ memo, verb, cardToken, amountInCents }: RequestRow, asked: OperationQuestion): boolean {
  const isExact = asked.type !== "fund" || asked.amount === null || amountInCents.minor === asked.amount.minor;
  return memo === asked.reference && verb === VERBS[asked.type] && (asked.cardReference ?? cardToken) === cardToken && isExact;
}

/** Returns the outcome of a write: this issuer answers only that the request is queued, or refuses it. */
export function toAnswer({ status, body }: Reply, memo: unknown): OperationOutcome {
  const accepted = Accepted.safeParse(body);
  if (status === 202 && accepted.success && accepted.data.memo === memo)
    return { status: "pending", providerReference: accepted.data.requestId };
  return isRefusal(status, body) ? { status: "failed", reason: "The card issuer refused it." } : { status: "unknown" };
}

export function toOutcome(row: RequestRow, type: OperationType): OperationOutcome {
  switch (row.outcome) {
    case "DONE": {
      const taken = type === "unload" || type === "terminate" ? row.amountInCents : null;
      return { status: "completed", providerReference: row.requestId, issued: toIssued(row), taken };
    }
    case "REJECTED": {
      const why = row.rejection?.toLowerCase().replaceAll("_", " ") ?? "no reason given";
      return { status: "failed", reason: `The card issuer refused it: ${why}.` };
    }
    case "QUEUED":
      return { status: "pending", providerReference: row.requestId };
    default:
      return { status: "unknown" };
  }
}

function toIssued({ cardToken: cardReference, lastFour: last4, expires }: RequestRow): IssuedCard | null {
  return last4 && expires ? { cardReference, last4, ...expires } : null;
}

export function toTransaction(row: SpendingRow): SpendTransaction {
  const [city = null, country = null] = row.shopPlace.split(", ");
  return {
    transactionReference: row.txId,
    type: row.event.toUpperCase() as SpendTransaction["type"],
    amount: row.amountInCents,
    relatedReference: row.parentTxId,
    merchant: { name: row.shop, categoryCode: String(row.shopCategory).padStart(4, "0"), city, country },
    declineReason: row.why,
    occurredAt: new Date(row.epochMs),
  };
}
