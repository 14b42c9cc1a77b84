import { z } from "zod";
import { money } from "#lib/money.ts";
import type {
  CardholderName,
  CardholderState,
  Found,
  IssuedCard,
  OperationOutcome,
  OperationQuestion,
  OperationType,
  SpendTransaction,
} from "../issuer.ts";
import type { Reply } from "./signed-calls.ts";

export const cents = z
  .string()
  .regex(/^-?\d+$/)
  .transform((text) => money(BigInt(text), "USD"));

const year = z.number().int().min(2000).max(2100);

const month = z.number().int().min(1).max(12);

const CardholderReply = z.object({
  id: z.string(),
  reference: z.string(),
  kyc: z.enum(["review", "approved", "rejected"]),
  reason: z.string().nullable(),
});

const OperationReply = z.object({
  operation: z.string(),
  reference: z.string(),
  kind: z.string(),
  state: z.string(),
  refusal: z.string().nullable(),
  cents,
  card: z.string(),
  last4: z
    .string()
    .regex(/^\d{4}$/)
    .optional(),
  exp_month: month.optional(),
  exp_year: year.optional(),
});

export const RefusalReply = z.object({ error: z.string() });

/** Matches the issuer's own error, and not the error of a gateway in between. */
const NotFoundReply = z.object({ error: z.string().startsWith("no such ") });

export const isNotFound = (reply: Reply | undefined) => reply?.status === 404 && NotFoundReply.safeParse(reply.body).success;

export const CardReply = z.object({ card: z.string(), state: z.enum(["active", "frozen", "closed"]), available_cents: cents });

export const TransactionsReply = z.object({ card: z.string(), transactions: z.array(z.unknown()), next: z.string().nullable() });

export const TransactionReply = z.object({
  id: z.string(),
  kind: z.enum(["AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "DECLINE", "FEE"]),
  cents,
  follows: z.string().nullable(),
  merchant: z.object({ name: z.string(), mcc: z.string(), city: z.string(), country: z.string() }),
  decline: z.string().nullable(),
  at: z.iso.datetime(),
});

export const DetailsReply = z.object({ card: z.string(), number: z.string(), cvv: z.string(), exp_month: month, exp_year: year });

export const STATUS = { active: "ACTIVE", frozen: "FROZEN", closed: "TERMINATED" } as const;

export function toCardholder(reply: Reply | undefined, asked: CardholderName): Found<CardholderState> {
  if (isNotFound(reply)) return { status: "not_found" };
  const parsed = CardholderReply.safeParse(reply?.body);
  if (reply?.status !== 200 || !parsed.success) return { status: "unknown" };
  const { id: providerReference, reference, kyc, reason } = parsed.data;
  const isAsked = asked.providerReference === null ? reference === asked.reference : providerReference === asked.providerReference;
  if (!isAsked) return { status: "unknown" };
  if (kyc !== "rejected") {
    return { status: "found", found: { providerReference, kyc: { status: kyc === "approved" ? "APPROVED" : "PENDING" } } };
  }
  return { status: "found", found: { providerReference, kyc: { status: "REJECTED", reason: reason ?? "The issuer gives no reason." } } };
}

const TAKES_MONEY_OFF: OperationType[] = ["unload", "terminate"];

/** Returns the outcome in a reply; `unknown` for an unclear reply, and for one about another operation. */
export function toOutcome({ status, body }: Reply, question: OperationQuestion): OperationOutcome {
  if (status === 422 && RefusalReply.safeParse(body).success) return { status: "failed", reason: "The card issuer refused it." };
  const parsed = OperationReply.safeParse(body);
  if (status !== 200 || !parsed.success || !isAbout(parsed.data, question)) return { status: "unknown" };
  const { state, refusal, operation: providerReference, cents: amount } = parsed.data;
  switch (state) {
    case "done": {
      const taken = TAKES_MONEY_OFF.includes(question.type) ? amount : null;
      return { status: "completed", providerReference, issued: toIssued(parsed.data), taken };
    }
    case "refused":
      return { status: "failed", reason: `The card issuer refused it: ${refusal?.replaceAll("_", " ") ?? "no reason given"}.` };
    default:
      return { status: "unknown" };
  }
}

const KINDS: Partial<Record<OperationType, string>> = { terminate: "close" };

/** Returns whether a reply answers a question. The amount of a funding must be exact; an unload may have taken less than was requested. */
function isAbout({ reference, kind, card, cents: amount }: z.output<typeof OperationReply>, asked: OperationQuestion): boolean {
  const { type } = asked;
  const isExact = type !== "fund" || asked.amount === null || amount.minor === asked.amount.minor;
  return reference === asked.reference && kind === (KINDS[type] ?? type) && (asked.cardReference ?? card) === card && isExact;
}

function toIssued({ card, last4, exp_month: expiryMonth, exp_year: expiryYear }: z.output<typeof OperationReply>): IssuedCard | null {
  return last4 && expiryMonth && expiryYear ? { cardReference: card, last4, expiryMonth, expiryYear } : null;
}

export const toTransaction = ({
  id,
  kind,
  cents: amount,
  follows,
  merchant,
  decline,
  at,
}: z.output<typeof TransactionReply>): SpendTransaction => ({
  transactionReference: id,
  type: kind,
  amount,
  relatedReference: follows,
  merchant: { name: merchant.name, categoryCode: merchant.mcc, city: merchant.city, country: merchant.country },
  declineReason: decline,
  occurredAt: new Date(at),
});
