import { z } from "zod";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import { DAY_MS } from "#lib/time.ts";
import { withCleanWords } from "../clean-words.ts";
import type {
  CardholderState,
  CardRequest,
  Found,
  IssuedCard,
  Issuer,
  MoneyRequest,
  OperationQuestion,
  OperationType,
  Outcome,
  SpendTransaction,
} from "../issuer.ts";
import { readRows } from "../read-rows.ts";
import type { SandboxIssuer } from "./issuer.ts";
import { type Call, isRefusedConnection, type Reply, signedCalls } from "./signed-calls.ts";

const cents = z
  .number()
  .int()
  .transform((amount) => money(BigInt(amount), "USD"));
const expiry = z
  .string()
  .regex(/^(0[1-9]|1[0-2])\/\d\d$/)
  .transform((text) => ({ expiryMonth: Number(text.slice(0, 2)), expiryYear: 2000 + Number(text.slice(3)) }));

const Person = z.object({ personId: z.string(), memo: z.string(), verification: z.enum(["SUBMITTED", "VERIFIED", "DENIED"]) });
const People = z.object({ people: z.array(Person) });
const Accepted = z.object({ requestId: z.string(), memo: z.string(), outcome: z.literal("QUEUED") });
const RequestRow = z.object({
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
const Requests = z.object({ items: z.array(RequestRow), page: z.number(), pages: z.number() });
const CardRow = z.object({ cardToken: z.string(), state: z.enum(["ORDERED", "OPEN", "LOCKED", "CLOSED"]), spendableInCents: cents });
const Spending = z.object({ cardToken: z.string(), rows: z.array(z.unknown()), page: z.number(), pages: z.number() });
const SpendingRow = z.object({
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
const Secrets = z.object({ cardToken: z.string(), pan: z.string(), securityCode: z.string(), expires: expiry });
const Notice = z.object({ event: z.string(), objectId: z.string().regex(/^\w{1,64}$/) });
const ProblemReply = z.object({ problem: z.string() });

const STATES = { OPEN: "ACTIVE", LOCKED: "FROZEN", CLOSED: "TERMINATED" } as const;
/** More requests under one memo than we could ever have made. */
const MOST_PAGES = 10;

interface Connection {
  url: string;
  requestSecret: string;
}

/**
 * The adapter of the other test issuer. It queues everything, does again what it is asked twice, counts pages and signs no notice: all
 * that it is told is asked for again.
 */
export function sandboxAsyncIssuer({ url, requestSecret }: Connection): SandboxIssuer {
  const call = signedCalls(`${url}/sandbox/issuer-async`, requestSecret);
  return withCleanWords({
    name: "sandbox-async",
    capabilities: { brands: ["VISA", "MASTERCARD"], visibleWithinMs: 15_000, authorizationsLastMs: 7 * DAY_MS },
    ...writesOf(call),
    ...readsOf(call),

    // Not signed: anybody may send one. It says where to look, and nothing that it says is believed.
    readNotice(_headers, body) {
      const parsed = Notice.safeParse(parseJson(body));
      return parsed.success ? { reference: parsed.data.objectId } : undefined;
    },

    async spend({ transactionReference, cardReference, type, amount, relatedReference, merchantName }) {
      const reply = await call("spend", {
        txId: transactionReference,
        cardToken: cardReference,
        event: type.toLowerCase(),
        amountInCents: Number(amount.minor),
        parentTxId: relatedReference,
        shop: merchantName,
      });
      if (reply.status === 400) return { refused: ProblemReply.parse(reply.body).problem.toLowerCase() };
      if (reply.status !== 200) throw new Error(`the sandbox issuer answered ${reply.status} to a shop`);
      return { transactionReference };
    },
  });
}

type Writes = Pick<Issuer, "createCardholder" | "issueCard" | "fund" | "unload" | "freeze" | "unfreeze" | "terminate">;

function writesOf(call: Call): Writes {
  const write = async (operation: string, body: Record<string, unknown>): Promise<Outcome> => {
    try {
      return toAnswer(await call(operation, body), body.memo);
    } catch (error) {
      return isRefusedConnection(error) ? { status: "failed", reason: "The card issuer could not be reached." } : { status: "unknown" };
    }
  };
  const change = (operation: string) => (wish: CardRequest) => write(operation, { memo: wish.reference, cardToken: wish.cardReference });
  const pay = (operation: string) => (wish: MoneyRequest) =>
    write(operation, { memo: wish.reference, cardToken: wish.cardReference, amountInCents: Number(wish.amount.minor) });
  return {
    async createCardholder({ reference, firstName, lastName, email }) {
      const person = { memo: reference, fullName: `${firstName} ${lastName}`, emailAddress: email };
      const reply = await call("people", person).catch(() => undefined);
      const parsed = Person.safeParse(reply?.body);
      if (reply?.status === 200 && parsed.data?.memo === reference) return { status: "completed", cardholder: toCardholder(parsed.data) };
      return reply && isRefusal(reply.status, reply.body)
        ? { status: "failed", reason: "The card issuer did not accept the cardholder." }
        : { status: "unknown" };
    },
    issueCard: ({ reference, cardholderReference, brand }) =>
      write("cards", { memo: reference, personId: cardholderReference, scheme: brand.toLowerCase() }),
    fund: pay("loads"),
    unload: pay("withdrawals"),
    freeze: change("locks"),
    unfreeze: change("unlocks"),
    terminate: change("closures"),
  };
}

type Reads = Pick<Issuer, "readCardholder" | "readCard" | "readOperation" | "listTransactions" | "revealDetails">;

function readsOf(call: Call): Reads {
  const read = async <Schema extends z.ZodType>(
    schema: Schema,
    operation: string,
    body: Record<string, unknown>,
    isAbout: (found: z.output<Schema>) => boolean,
  ): Promise<Found<z.output<Schema>>> => {
    const reply = await call(operation, body).catch(() => undefined);
    if (reply?.status === 404 && ProblemReply.safeParse(reply.body).data?.problem === "NOT_FOUND") return { status: "not_found" };
    const parsed = schema.safeParse(reply?.body);
    const isAnswer = reply?.status === 200 && parsed.success && isAbout(parsed.data);
    return isAnswer ? { status: "found", found: parsed.data } : { status: "unknown" };
  };
  return {
    async readCardholder({ reference, providerReference }) {
      if (providerReference) {
        const isAsked = ({ personId }: z.output<typeof Person>) => personId === providerReference;
        return mapFound(await read(Person, "person", { personId: providerReference }, isAsked), toCardholder);
      }
      const all = await read(People, "find-people", { memo: reference }, ({ people }) => people.every(({ memo }) => memo === reference));
      if (all.status !== "found") return all;
      const [person] = all.found.people;
      return person ? { status: "found", found: toCardholder(person) } : { status: "not_found" };
    },
    async readCard(cardToken) {
      const card = await read(CardRow, "card", { cardToken }, (row) => row.cardToken === cardToken);
      if (card.status !== "found") return card;
      const { state, spendableInCents: balance } = card.found;
      return state === "ORDERED" ? { status: "not_found" } : { status: "found", found: { state: STATES[state], balance } };
    },
    async readOperation(question) {
      const { reference, type } = question;
      const rows: RequestRow[] = [];
      for (let page = 1, pages = 1; page <= Math.min(pages, MOST_PAGES); page++) {
        const found = await read(Requests, "requests", { memo: reference, page }, ({ items }) =>
          items.every((item) => isAbout(item, question)),
        );
        if (found.status !== "found") return { status: "unknown" };
        rows.push(...found.found.items);
        pages = found.found.pages;
      }
      // Where it took one of ours more than once, whichever was done has been done.
      const row = rows.find(({ outcome }) => outcome === "DONE") ?? rows.find(({ outcome }) => outcome === "QUEUED") ?? rows[0];
      if (!row) return { status: "not_found" };
      if (rows.length > 1) log().error({ reference, requests: rows.length }, "the issuer took one operation of ours more than once");
      return toOutcome(row, type);
    },
    async listTransactions(cardToken, page) {
      const found = await read(
        Spending,
        "spending",
        { cardToken, page: Number(page ?? 1) },
        (spending) => spending.cardToken === cardToken,
      );
      if (found.status !== "found") return { status: "unknown" };
      const { rows, page: current, pages } = found.found;
      const { readable, unreadable } = readRows(SpendingRow, rows, "txId");
      const nextPage = current < pages ? String(current + 1) : null;
      return { status: "found", transactions: readable.map(toTransaction), unreadable, nextPage };
    },
    async revealDetails(cardToken) {
      const secrets = await read(Secrets, "secrets", { cardToken }, (found) => found.cardToken === cardToken);
      return mapFound(secrets, ({ pan, securityCode, expires }) => ({ number: pan, cvv: securityCode, ...expires }));
    },
  };
}

type RequestRow = z.output<typeof RequestRow>;
type SpendingRow = z.output<typeof SpendingRow>;

function mapFound<A, B>(reading: Found<A>, map: (found: A) => B): Found<B> {
  return reading.status === "found" ? { status: "found", found: map(reading.found) } : reading;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is not a notice.
    return undefined;
  }
}

function toCardholder({ personId: providerReference, verification }: z.output<typeof Person>): CardholderState {
  if (verification === "DENIED") {
    return { providerReference, kyc: { status: "REJECTED", reason: "The identity could not be confirmed." } };
  }
  return { providerReference, kyc: { status: verification === "VERIFIED" ? "APPROVED" : "PENDING" } };
}

/** Its own word for no, and not that of whatever stands between. */
const isRefusal = (status: number, body: unknown) => status === 400 && ProblemReply.safeParse(body).success;

const VERBS: Record<OperationType, string> = {
  issue: "NEW_CARD",
  fund: "LOAD",
  unload: "WITHDRAW",
  freeze: "LOCK",
  unfreeze: "UNLOCK",
  terminate: "CLOSE",
};

/** A withdrawal may have taken less than was asked; of a load the amount is exact. */
function isAbout({ memo, verb, cardToken, amountInCents }: RequestRow, asked: OperationQuestion): boolean {
  const isExact = asked.type !== "fund" || asked.amount === null || amountInCents.minor === asked.amount.minor;
  return memo === asked.reference && verb === VERBS[asked.type] && (asked.cardReference ?? cardToken) === cardToken && isExact;
}

/** It never says more than that it has queued what it was asked. */
function toAnswer({ status, body }: Reply, memo: unknown): Outcome {
  const accepted = Accepted.safeParse(body);
  if (status === 202 && accepted.success && accepted.data.memo === memo)
    return { status: "pending", providerReference: accepted.data.requestId };
  return isRefusal(status, body) ? { status: "failed", reason: "The card issuer refused it." } : { status: "unknown" };
}

function toOutcome(row: RequestRow, type: OperationType): Outcome {
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

function toTransaction(row: SpendingRow): SpendTransaction {
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
