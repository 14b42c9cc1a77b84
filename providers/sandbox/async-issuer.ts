import { z } from "zod";
import { log } from "#lib/log.ts";
import { DAY_MS } from "#lib/time.ts";
import { withCleanWords } from "../clean-words.ts";
import type { CardRequest, Found, Issuer, MoneyRequest, OperationOutcome } from "../issuer.ts";
import { wasNotSent } from "../not-sent.ts";
import { readRows } from "../read-rows.ts";
import {
  CardRow,
  isAbout,
  isRefusal,
  People,
  Person,
  ProblemReply,
  type RequestRow,
  Requests,
  Secrets,
  Spending,
  SpendingRow,
  STATES,
  toAnswer,
  toCardholder,
  toOutcome,
  toTransaction,
} from "./async-issuer-replies.ts";
import type { SandboxIssuer } from "./issuer.ts";
import { type Call, signedCalls } from "./signed-calls.ts";

const Notice = z.object({ event: z.string(), objectId: z.string().regex(/^\w{1,64}$/) });

/** Pages of requests to read. We never make this many requests under one memo. */
const MAX_PAGES = 10;

interface Connection {
  url: string;
  requestSecret: string;
}

/**
 * Returns the adapter of the second test issuer. That issuer queues every operation, executes a repeated reference again, numbers its
 * pages and signs no notice, so each notice is only a hint to read its subject.
 */
export function sandboxAsyncIssuer({ url, requestSecret }: Connection): SandboxIssuer {
  const call = signedCalls(`${url}/sandbox/issuer-async`, requestSecret);
  return withCleanWords({
    name: "sandbox-async",
    capabilities: { brands: ["VISA", "MASTERCARD"], visibleWithinMs: 15_000, spendOrder: "occurred", authorizationsLastMs: 7 * DAY_MS },
    ...writesOf(call),
    ...readsOf(call),

    // The notice is not signed, so anyone may send one. It only says which object to read.
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
      }).catch((error: unknown) => ({ status: String(error), body: undefined }));
      if (reply.status === 400) return { status: "refused", refused: ProblemReply.parse(reply.body).problem.toLowerCase() };
      return reply.status === 200 ? { status: "done", transactionReference } : { status: "unknown", because: String(reply.status) };
    },
  });
}

type Writes = Pick<Issuer, "createCardholder" | "issueCard" | "fund" | "unload" | "freeze" | "unfreeze" | "terminate">;

function writesOf(call: Call): Writes {
  const write = async (operation: string, body: Record<string, unknown>): Promise<OperationOutcome> => {
    try {
      return toAnswer(await call(operation, body), body.memo);
    } catch (error) {
      return wasNotSent(error) ? { status: "failed", reason: "The card issuer could not be reached." } : { status: "unknown" };
    }
  };
  const change = (operation: string) => (request: CardRequest) =>
    write(operation, { memo: request.reference, cardToken: request.cardReference });
  const pay = (operation: string) => (request: MoneyRequest) =>
    write(operation, { memo: request.reference, cardToken: request.cardReference, amountInCents: Number(request.amount.minor) });
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
      for (let page = 1, pages = 1; page <= Math.min(pages, MAX_PAGES); page++) {
        const found = await read(Requests, "requests", { memo: reference, page }, ({ items }) =>
          items.every((item) => isAbout(item, question)),
        );
        if (found.status !== "found") return { status: "unknown" };
        rows.push(...found.found.items);
        pages = found.found.pages;
      }
      // If the issuer took one operation more than once, a row that is done decides the outcome.
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

function mapFound<A, B>(reading: Found<A>, map: (found: A) => B): Found<B> {
  return reading.status === "found" ? { status: "found", found: map(reading.found) } : reading;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON is no notice.
    return undefined;
  }
}
