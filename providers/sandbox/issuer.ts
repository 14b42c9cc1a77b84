import { z } from "zod";
import { type Money, money } from "#lib/money.ts";
import { isSigned } from "#lib/signature.ts";
import { DAY_MS } from "#lib/time.ts";
import { withCleanWords } from "../clean-words.ts";
import type {
  CardholderName,
  CardholderState,
  CardRequest,
  Found,
  IssuedCard,
  Issuer,
  OperationQuestion,
  OperationType,
  Outcome,
  SpendTransaction,
} from "../issuer.ts";
import { readRows } from "../read-rows.ts";
import { type Call, isRefusedConnection, type Reply, signedCalls } from "./signed-calls.ts";

const cents = z
  .string()
  .regex(/^-?\d+$/)
  .transform((text) => money(BigInt(text), "USD"));
const year = z.number().int().min(2000).max(2100);
const month = z.number().int().min(1).max(12);

const name = z.string().regex(/^\w{1,64}$/);

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
const RefusalReply = z.object({ error: z.string() });
/** Its own word, and not that of a gateway between. */
const NotFoundReply = z.object({ error: z.string().startsWith("no such ") });
const isNotFound = (reply: Reply | undefined) => reply?.status === 404 && NotFoundReply.safeParse(reply.body).success;
const CardReply = z.object({ card: z.string(), state: z.enum(["active", "frozen", "closed"]), available_cents: cents });
const TransactionsReply = z.object({ card: z.string(), transactions: z.array(z.unknown()), next: z.string().nullable() });
const TransactionReply = z.object({
  id: z.string(),
  kind: z.enum(["AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "DECLINE", "FEE"]),
  cents,
  follows: z.string().nullable(),
  merchant: z.object({ name: z.string(), mcc: z.string(), city: z.string(), country: z.string() }),
  decline: z.string().nullable(),
  at: z.iso.datetime(),
});
const DetailsReply = z.object({ card: z.string(), number: z.string(), cvv: z.string(), exp_month: month, exp_year: year });
const Notice = z.union([z.object({ card: name }), z.object({ cardholder: name })]);

const STATUS = { active: "ACTIVE", frozen: "FROZEN", closed: "TERMINATED" } as const;

/** What a person could do in a shop; in test mode the API does it for them. */
export interface Shop {
  /** Charges a card, or gives back, and waits until we were told of it. Answers the issuer's name for the transaction, or why there is none. */
  spend(spend: SimulatedSpend): Promise<{ transactionReference: string } | { refused: string }>;
}

export interface SimulatedSpend {
  /** Chosen by us; the same again is the same transaction. */
  transactionReference: string;
  cardReference: string;
  type: SpendTransaction["type"];
  amount: Money;
  relatedReference: string | null;
  merchantName: string;
}

export type SandboxIssuer = Issuer & Shop;

interface Connection {
  url: string;
  requestSecret: string;
  noticeSecret: string;
}

/** The adapter of the built-in test issuer, which does everything at once. */
export function sandboxIssuer({ url, requestSecret, noticeSecret }: Connection): SandboxIssuer {
  const call = signedCalls(`${url}/sandbox/issuer`, requestSecret);
  const ask = async (operation: string, body: Record<string, unknown>): Promise<Reply | undefined> =>
    call(operation, body).catch(() => undefined);

  const write = async (question: OperationQuestion, body: Record<string, unknown>): Promise<Outcome> => {
    try {
      return toOutcome(await call(question.type, { reference: question.reference, ...body }), question);
    } catch (error) {
      return isRefusedConnection(error) ? { status: "failed", reason: "The card issuer could not be reached." } : { status: "unknown" };
    }
  };

  return withCleanWords({
    name: "sandbox",
    capabilities: { brands: ["VISA", "MASTERCARD"], visibleWithinMs: 15_000, authorizationsLastMs: 7 * DAY_MS },

    async createCardholder({ reference, firstName, lastName, email, phone }) {
      const reply = await ask("create-cardholder", { reference, first_name: firstName, last_name: lastName, email, phone });
      if (reply?.status === 422) return { status: "failed", reason: "The card issuer did not accept the cardholder." };
      const found = toCardholder(reply, { reference, providerReference: null });
      return found.status === "found" ? { status: "completed", cardholder: found.found } : { status: "unknown" };
    },
    readCardholder: async ({ reference, providerReference }) =>
      toCardholder(await ask("read-cardholder", { reference, id: providerReference }), { reference, providerReference }),

    issueCard: ({ reference, cardholderReference, brand }) =>
      write({ type: "issue", reference, cardReference: null, amount: null }, { cardholder: cardholderReference, brand }),
    fund: (wish) => write(questionOf("fund", wish), { card: wish.cardReference, cents: String(wish.amount.minor) }),
    unload: (wish) => write(questionOf("unload", wish), { card: wish.cardReference, cents: String(wish.amount.minor) }),
    freeze: (wish) => write(questionOf("freeze", wish), { card: wish.cardReference }),
    unfreeze: (wish) => write(questionOf("unfreeze", wish), { card: wish.cardReference }),
    terminate: (wish) => write(questionOf("terminate", wish), { card: wish.cardReference }),

    readNotice(headers, body) {
      if (!isSigned(noticeSecret, body, headers.get("x-sandbox-signature"))) return undefined;
      const notice = Notice.parse(JSON.parse(body));
      return { reference: "card" in notice ? notice.card : notice.cardholder };
    },

    ...readsOf(ask),
    spend: shopsAt(call),
  });
}

type Ask = (operation: string, body: Record<string, unknown>) => Promise<Reply | undefined>;

const readsOf = (ask: Ask): Pick<Issuer, "readCard" | "readOperation" | "listTransactions" | "revealDetails"> => ({
  async readCard(card) {
    const reply = await ask("read-card", { card });
    if (isNotFound(reply)) return { status: "not_found" };
    const parsed = CardReply.safeParse(reply?.body);
    if (reply?.status !== 200 || parsed.data?.card !== card) return { status: "unknown" };
    return { status: "found", found: { state: STATUS[parsed.data.state], balance: parsed.data.available_cents } };
  },

  async readOperation(question) {
    const reply = await ask("read-operation", { reference: question.reference });
    if (isNotFound(reply)) return { status: "not_found" };
    return reply?.status === 200 ? toOutcome(reply, question) : { status: "unknown" };
  },

  async listTransactions(card, page) {
    const reply = await ask("list-transactions", { card, before: page });
    const parsed = TransactionsReply.safeParse(reply?.body);
    if (reply?.status !== 200 || parsed.data?.card !== card) return { status: "unknown" };
    const { readable, unreadable } = readRows(TransactionReply, parsed.data.transactions, "id");
    return { status: "found", transactions: readable.map(toTransaction), unreadable, nextPage: parsed.data.next };
  },

  async revealDetails(card) {
    const reply = await ask("reveal", { card });
    if (isNotFound(reply)) return { status: "not_found" };
    const parsed = DetailsReply.safeParse(reply?.body);
    if (reply?.status !== 200 || parsed.data?.card !== card) return { status: "unknown" };
    const { number, cvv, exp_month: expiryMonth, exp_year: expiryYear } = parsed.data;
    return { status: "found", found: { number, cvv, expiryMonth, expiryYear } };
  },
});

/** Plays shops. */
const shopsAt =
  (call: Call): Shop["spend"] =>
  async ({ transactionReference, cardReference, type, amount, relatedReference, merchantName }) => {
    const reply = await call("spend", {
      id: transactionReference,
      card: cardReference,
      kind: type,
      cents: String(amount.minor),
      follows: relatedReference,
      merchant: merchantName,
    });
    if (reply.status === 422) return { refused: RefusalReply.parse(reply.body).error };
    if (reply.status !== 200) throw new Error(`the sandbox issuer answered ${reply.status} to a shop`);
    return { transactionReference };
  };

function toCardholder(reply: Reply | undefined, asked: CardholderName): Found<CardholderState> {
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

const questionOf = (
  type: OperationType,
  { reference, cardReference, amount = null }: CardRequest & { amount?: Money | null },
): OperationQuestion => ({
  type,
  reference,
  cardReference,
  amount,
});

const TAKES_MONEY_OFF: OperationType[] = ["unload", "terminate"];

/** The issuer's word on a write; unknown is what is no clear word, or about something else. */
function toOutcome({ status, body }: Reply, question: OperationQuestion): Outcome {
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

/** An unload may have taken less than was asked; of all else the amount is exact. */
function isAbout({ reference, kind, card, cents: amount }: z.output<typeof OperationReply>, asked: OperationQuestion): boolean {
  const { type } = asked;
  const isExact = type !== "fund" || asked.amount === null || amount.minor === asked.amount.minor;
  return reference === asked.reference && kind === (KINDS[type] ?? type) && (asked.cardReference ?? card) === card && isExact;
}

function toIssued({ card, last4, exp_month: expiryMonth, exp_year: expiryYear }: z.output<typeof OperationReply>): IssuedCard | null {
  return last4 && expiryMonth && expiryYear ? { cardReference: card, last4, expiryMonth, expiryYear } : null;
}

const toTransaction = ({
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
