import { z } from "zod";
import { FAULTS } from "../faults.ts";
import { answerSignedCall, type Operation } from "../signed-call.ts";
import { type Cardholder, createCardholder, findCardholders, getCardholder } from "./cardholders.ts";
import { getCard, last4Of, secretsOf } from "./cards.ts";
import { orderFault, withFaults } from "./faults.ts";
import { findOperations, issueCard, type OperationKind, type Operation as Order, operate, shutCard } from "./operations.ts";
import { Refused, Unknown } from "./refusals.ts";
import { expireAuthorizations, listSpend, type SpendRow, spend } from "./spend.ts";

const ISSUER = "sandbox";
const name = z.string().min(1).max(1_000);
const cents = z
  .string()
  .regex(/^[1-9]\d{0,11}$/)
  .transform(BigInt);
const PAGE = 50;

const NewCardholder = z.object({ reference: name, first_name: name, last_name: name, email: name, phone: name.nullable() });
const Issue = z.object({ reference: name, cardholder: name, brand: z.enum(["VISA", "MASTERCARD"]) });
const Change = z.object({ reference: name, card: name });
const Payment = Change.extend({ cents });
const OfCard = z.object({ card: name });
const Spend = z.object({
  id: name,
  card: name,
  kind: z.enum(["AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "DECLINE", "FEE"]),
  cents,
  follows: name.nullable(),
  merchant: z.string().min(1),
  copies: z.number().int().min(1).max(20).default(1),
});
const Fault = z.object({ operation: name, card: name.default("*"), fault: z.enum(FAULTS) });

const describeCardholder = ({ id, reference, state }: Cardholder) => ({
  id,
  reference,
  kyc: state,
  reason: state === "rejected" ? "The identity could not be confirmed." : null,
});

async function describeOperation({ id, reference, card_id, kind, amount, state, refusal }: Order) {
  const card = await getCard(ISSUER, card_id);
  return {
    operation: id,
    reference,
    kind,
    state,
    refusal,
    cents: String(amount),
    card: card_id,
    ...(kind === "issue" && { last4: last4Of(card), exp_month: card.expiry_month, exp_year: card.expiry_year }),
  };
}

const describeSpend = (row: SpendRow) => ({
  id: row.id,
  kind: row.kind,
  cents: String(row.amount),
  follows: row.related_id,
  merchant: { name: row.merchant_name, mcc: row.category_code, city: row.city, country: row.country },
  decline: row.decline_reason,
  at: new Date(row.created_at).toISOString(),
});

const answer = async (order: Promise<Order>) => Response.json(await describeOperation(await order));

const change =
  (kind: OperationKind): Operation =>
  async (body) => {
    const { reference, card } = Change.parse(body);
    return withFaults(ISSUER, kind, card, () => answer(operate(ISSUER, { reference, kind, cardId: card, amount: 0n })));
  };

const payment =
  (kind: OperationKind): Operation =>
  async (body) => {
    const { reference, card, cents: amount } = Payment.parse(body);
    return withFaults(ISSUER, kind, card, () => answer(operate(ISSUER, { reference, kind, cardId: card, amount })));
  };

const operations: Record<string, Operation> = {
  async "create-cardholder"(body) {
    const { reference, first_name, last_name, email } = NewCardholder.parse(body);
    const made = () => createCardholder(ISSUER, { reference, name: `${first_name} ${last_name}`, email });
    return withFaults(ISSUER, "create-cardholder", "*", async () => Response.json(describeCardholder(await made())));
  },
  async "read-cardholder"(body) {
    const { reference, id } = z.object({ reference: name, id: name.nullable() }).parse(body);
    const found = id ? await getCardholder(ISSUER, id) : (await findCardholders(ISSUER, { reference }))[0];
    if (!found) throw new Unknown("cardholder");
    return Response.json(describeCardholder(found));
  },
  async issue(body) {
    const { reference, cardholder, brand } = Issue.parse(body);
    return withFaults(ISSUER, "issue", "*", () => answer(issueCard(ISSUER, { reference, cardholderId: cardholder, brand })));
  },
  fund: payment("fund"),
  unload: payment("unload"),
  freeze: change("freeze"),
  unfreeze: change("unfreeze"),
  terminate: change("close"),
  async "read-operation"(body) {
    const [found] = await findOperations(ISSUER, z.object({ reference: name }).parse(body).reference);
    if (!found) throw new Unknown("operation");
    return Response.json(await describeOperation(found));
  },
  async "read-card"(body) {
    const card = await getCard(ISSUER, OfCard.parse(body).card);
    return Response.json({ card: card.id, state: card.state, available_cents: String(card.available) });
  },
  async "list-transactions"(body) {
    const { card, before } = OfCard.extend({ before: z.string().regex(/^\d+$/).nullable() }).parse(body);
    return withFaults(ISSUER, "list-transactions", card, async () => {
      const rows = await listSpend(ISSUER, card, { ...(before !== null && { before: BigInt(before) }), limit: PAGE + 1 });
      const shown = rows.slice(0, PAGE);
      return Response.json({
        card,
        transactions: shown.map(describeSpend),
        next: rows.length > PAGE ? String(shown.at(-1)?.serial) : null,
      });
    });
  },
  async reveal(body) {
    const card = await getCard(ISSUER, OfCard.parse(body).card);
    return Response.json({ card: card.id, ...secretsOf(card), exp_month: card.expiry_month, exp_year: card.expiry_year });
  },
  /** Records the spend of a simulated shop. */
  async spend(body) {
    const { id, card, kind, cents: amount, follows, merchant, copies } = Spend.parse(body);
    return withFaults(ISSUER, "spend", card, async () =>
      Response.json(
        describeSpend(await spend(ISSUER, { id, cardId: card, kind, amount, relatedId: follows, merchantName: merchant, copies })),
      ),
    );
  },
  /** Expires the open authorizations of a card. */
  async expire(body) {
    await expireAuthorizations({ issuer: ISSUER, id: OfCard.parse(body).card });
    return Response.json({});
  },
  /** Closes a card without a request of the customer. */
  async shut(body) {
    await shutCard(ISSUER, OfCard.parse(body).card);
    return Response.json({});
  },
  async faults(body) {
    await orderFault(ISSUER, Fault.parse(body));
    return Response.json({});
  },
};

/** Serves one call of the sandbox issuer's API. */
export const answerIssuerCall = (operation: string, request: Request): Promise<Response> =>
  answerSignedCall(operations, operation, request, (error) => {
    if (error instanceof Unknown) return Response.json({ error: `no such ${error.message}` }, { status: 404 });
    if (error instanceof Refused) return Response.json({ error: error.reason }, { status: 422 });
    return undefined;
  });
