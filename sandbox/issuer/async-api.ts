import { z } from "zod";
import { FAULTS } from "../faults.ts";
import { answerSignedCall, type Operation } from "../signed-call.ts";
import { type Cardholder, createCardholder, findCardholders, getCardholder } from "./cardholders.ts";
import { getCard, last4Of, secretsOf } from "./cards.ts";
import { orderFault, withFaults } from "./faults.ts";
import { findOperations, issueCard, type OperationKind, type Operation as Order, operate, shutCard } from "./operations.ts";
import { Refused, Unknown } from "./refusals.ts";
import { countSpend, expireAuthorizations, listSpendByTime, type SpendRow, spend } from "./spend.ts";

// The second issuer differs from the first in everything that an adapter must handle. It queues every operation and answers only that it
// is queued, executes a repeated reference again, numbers its pages, and does not sign its notices.
const ISSUER = "sandbox-async";
const text = z.string().min(1).max(1_000);
const amountInCents = z.number().int().min(1).max(100_000_000_000);
const PAGE_SIZE = 20;

const Person = z.object({ memo: text, fullName: text, emailAddress: text });
const CardRequest = z.object({ memo: text, personId: text, scheme: z.enum(["visa", "mastercard"]) });
const CardOrder = z.object({ memo: text, cardToken: text, amountInCents: amountInCents.optional() });
const ByToken = z.object({ cardToken: text });
const Paged = z.object({ page: z.number().int().min(1).max(10_000) });
const VERBS: Record<OperationKind, string> = {
  issue: "NEW_CARD",
  fund: "LOAD",
  unload: "WITHDRAW",
  freeze: "LOCK",
  unfreeze: "UNLOCK",
  close: "CLOSE",
};
const VERIFICATION = { review: "SUBMITTED", approved: "VERIFIED", rejected: "DENIED" };
const OUTCOME = { queued: "QUEUED", done: "DONE", refused: "REJECTED" };
const CARD_STATES = { queued: "ORDERED", active: "OPEN", frozen: "LOCKED", closed: "CLOSED" };

const describePerson = ({ id, reference, state }: Cardholder) => ({ personId: id, memo: reference, verification: VERIFICATION[state] });

async function describeRequest({ id, reference, card_id, kind, amount, state, refusal }: Order) {
  const card = await getCard(ISSUER, card_id);
  return {
    requestId: id,
    memo: reference,
    verb: VERBS[kind],
    outcome: OUTCOME[state],
    rejection: refusal,
    amountInCents: Number(amount),
    cardToken: card_id,
    ...(kind === "issue" && { lastFour: last4Of(card), expires: expiryOf(card) }),
  };
}

const expiryOf = (card: { expiry_month: number; expiry_year: number }) =>
  `${String(card.expiry_month).padStart(2, "0")}/${String(card.expiry_year).slice(-2)}`;

const queued = async (order: Promise<Order>) => {
  const { id, reference } = await order;
  return Response.json({ requestId: id, memo: reference, outcome: "QUEUED" }, { status: 202 });
};

const order =
  (kind: OperationKind): Operation =>
  async (body) => {
    const { memo, cardToken, amountInCents: amount = 0 } = CardOrder.parse(body);
    return withFaults(ISSUER, kind, cardToken, () =>
      queued(operate(ISSUER, { reference: memo, kind, cardId: cardToken, amount: BigInt(amount) })),
    );
  };

const describeSpend = (row: SpendRow) => ({
  txId: row.id,
  event: row.kind.toLowerCase(),
  amountInCents: Number(row.amount),
  parentTxId: row.related_id,
  shop: `${row.merchant_name}`,
  shopCategory: Number(row.category_code),
  shopPlace: `${row.city}, ${row.country}`,
  why: row.decline_reason,
  epochMs: new Date(row.created_at).getTime(),
});

const operations: Record<string, Operation> = {
  async people(body) {
    const { memo, fullName, emailAddress } = Person.parse(body);
    const made = () => createCardholder(ISSUER, { reference: memo, name: fullName, email: emailAddress });
    return withFaults(ISSUER, "create-cardholder", "*", async () => Response.json(describePerson(await made())));
  },
  async person(body) {
    const { personId } = z.object({ personId: text }).parse(body);
    return Response.json(describePerson(await getCardholder(ISSUER, personId)));
  },
  async "find-people"(body) {
    const { memo } = z.object({ memo: text }).parse(body);
    return Response.json({ people: (await findCardholders(ISSUER, { reference: memo })).map(describePerson) });
  },
  async cards(body) {
    const { memo, personId, scheme } = CardRequest.parse(body);
    return withFaults(ISSUER, "issue", "*", () =>
      queued(issueCard(ISSUER, { reference: memo, cardholderId: personId, brand: scheme.toUpperCase() })),
    );
  },
  loads: order("fund"),
  withdrawals: order("unload"),
  locks: order("freeze"),
  unlocks: order("unfreeze"),
  closures: order("close"),
  async requests(body) {
    const { memo, page } = Paged.extend({ memo: text }).parse(body);
    const all = await findOperations(ISSUER, memo);
    const shown = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
    return Response.json({ items: await Promise.all(shown.map(describeRequest)), page, pages: Math.ceil(all.length / PAGE_SIZE) });
  },
  async card(body) {
    const card = await getCard(ISSUER, ByToken.parse(body).cardToken);
    return Response.json({ cardToken: card.id, state: CARD_STATES[card.state], spendableInCents: Number(card.available) });
  },
  async spending(body) {
    const { cardToken, page } = Paged.extend({ cardToken: text }).parse(body);
    return withFaults(ISSUER, "list-transactions", cardToken, async () => {
      const rows = await listSpendByTime(ISSUER, cardToken, { limit: PAGE_SIZE, skip: (page - 1) * PAGE_SIZE });
      return Response.json({
        cardToken,
        rows: rows.map(describeSpend),
        page,
        pages: Math.ceil((await countSpend(ISSUER, cardToken)) / PAGE_SIZE),
      });
    });
  },
  async secrets(body) {
    const card = await getCard(ISSUER, ByToken.parse(body).cardToken);
    const { number, cvv } = secretsOf(card);
    return Response.json({ cardToken: card.id, pan: number, securityCode: cvv, expires: expiryOf(card) });
  },
  /** Records the spend of a simulated shop. */
  async spend(body) {
    const given = z
      .object({ txId: text, cardToken: text, event: text, amountInCents, parentTxId: text.nullable(), shop: text })
      .parse(body);
    const kind = z.enum(["AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "DECLINE", "FEE"]).parse(given.event.toUpperCase());
    return withFaults(ISSUER, "spend", given.cardToken, async () => {
      const row = await spend(ISSUER, {
        id: given.txId,
        cardId: given.cardToken,
        kind,
        amount: BigInt(given.amountInCents),
        relatedId: given.parentTxId,
        merchantName: given.shop,
        copies: 1,
      });
      return Response.json(describeSpend(row));
    });
  },
  /** Expires the open authorizations of a card. */
  async expire(body) {
    await expireAuthorizations({ issuer: ISSUER, id: ByToken.parse(body).cardToken });
    return Response.json({});
  },
  /** Closes a card without a request of the customer. */
  async shut(body) {
    await shutCard(ISSUER, ByToken.parse(body).cardToken);
    return Response.json({});
  },
  async faults(body) {
    await orderFault(ISSUER, z.object({ operation: text, card: text.default("*"), fault: z.enum(FAULTS) }).parse(body));
    return Response.json({});
  },
};

/** Serves one call of the asynchronous sandbox issuer's API. */
export const answerAsyncIssuerCall = (operation: string, request: Request): Promise<Response> =>
  answerSignedCall(operations, operation, request, (error) => {
    if (error instanceof Unknown) return Response.json({ problem: "NOT_FOUND" }, { status: 404 });
    if (error instanceof Refused) return Response.json({ problem: error.reason.toUpperCase() }, { status: 400 });
    return undefined;
  });
