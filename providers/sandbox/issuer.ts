import { z } from "zod";
import type { Money } from "#lib/money.ts";
import { isSigned } from "#lib/signature.ts";
import { DAY_MS } from "#lib/time.ts";
import { withCleanWords } from "../clean-words.ts";
import type { CardRequest, Issuer, OperationOutcome, OperationQuestion, OperationType, SpendTransaction } from "../issuer.ts";
import { wasNotSent } from "../not-sent.ts";
import { readRows } from "../read-rows.ts";
import {
  CardReply,
  DetailsReply,
  isNotFound,
  RefusalReply,
  STATUS,
  TransactionReply,
  TransactionsReply,
  toCardholder,
  toOutcome,
  toTransaction,
} from "./issuer-replies.ts";
import { type Call, type Reply, signedCalls } from "./signed-calls.ts";

const name = z.string().regex(/^\w{1,64}$/);

const Notice = z.union([z.object({ card: name }), z.object({ cardholder: name })]);

/** Actions of a shop. In test mode the API performs them. */
export interface Shop {
  /** Charges or refunds a card, and waits until the issuer has sent its notice. */
  spend(spend: SimulatedSpend): Promise<SpendOutcome>;
}

/** `refused` says why. `unknown`: the issuer did not answer, so it may have executed the transaction; `because` has a status or an error. */
export type SpendOutcome =
  | { status: "done"; transactionReference: string }
  | { status: "refused"; refused: string }
  | { status: "unknown"; because: string };

export interface SimulatedSpend {
  /** Chosen by us. A repeated reference is the same transaction. */
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

/** Returns the adapter of the built-in test issuer, which executes every operation at once. */
export function sandboxIssuer({ url, requestSecret, noticeSecret }: Connection): SandboxIssuer {
  const call = signedCalls(`${url}/sandbox/issuer`, requestSecret);
  const ask = async (operation: string, body: Record<string, unknown>): Promise<Reply | undefined> =>
    call(operation, body).catch(() => undefined);

  const write = async (question: OperationQuestion, body: Record<string, unknown>): Promise<OperationOutcome> => {
    try {
      return toOutcome(await call(question.type, { reference: question.reference, ...body }), question);
    } catch (error) {
      return wasNotSent(error) ? { status: "failed", reason: "The card issuer could not be reached." } : { status: "unknown" };
    }
  };

  return withCleanWords({
    name: "sandbox",
    capabilities: { brands: ["VISA", "MASTERCARD"], visibleWithinMs: 15_000, spendOrder: "recorded", authorizationsLastMs: 7 * DAY_MS },

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
    fund: (request) => write(questionOf("fund", request), { card: request.cardReference, cents: String(request.amount.minor) }),
    unload: (request) => write(questionOf("unload", request), { card: request.cardReference, cents: String(request.amount.minor) }),
    freeze: (request) => write(questionOf("freeze", request), { card: request.cardReference }),
    unfreeze: (request) => write(questionOf("unfreeze", request), { card: request.cardReference }),
    terminate: (request) => write(questionOf("terminate", request), { card: request.cardReference }),

    readNotice(headers, body) {
      if (!isSigned(noticeSecret, body, headers.get("x-sandbox-signature"))) return undefined;
      const notice = Notice.parse(JSON.parse(body));
      return { reference: "card" in notice ? notice.card : notice.cardholder };
    },

    ...readsOf(ask),
    spend: spendAt(call),
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

/** Returns the function that spends on cards as a shop. */
const spendAt =
  (call: Call): Shop["spend"] =>
  async ({ transactionReference, cardReference, type, amount, relatedReference, merchantName }) => {
    const reply = await call("spend", {
      id: transactionReference,
      card: cardReference,
      kind: type,
      cents: String(amount.minor),
      follows: relatedReference,
      merchant: merchantName,
    }).catch((error: unknown) => ({ status: String(error), body: undefined }));
    if (reply.status === 422) return { status: "refused", refused: RefusalReply.parse(reply.body).error };
    return reply.status === 200 ? { status: "done", transactionReference } : { status: "unknown", because: String(reply.status) };
  };

const questionOf = (
  type: OperationType,
  { reference, cardReference, amount = null }: CardRequest & { amount?: Money | null },
): OperationQuestion => ({
  type,
  reference,
  cardReference,
  amount,
});
