import type { IdKind } from "#lib/ids.ts";
import { findAlert } from "../alerts/index.ts";
import { type Cardholder, findCardholders, findCards, findOperations, findSpend } from "../cards/index.ts";
import { findLinks, findRefunds, type Refund } from "../checkout/index.ts";
import type { MerchantContext } from "../context.ts";
import { findEvent } from "../events/index.ts";
import { findWalletTransaction, type Related } from "../ledger/index.ts";
import { findPayouts } from "../payouts/index.ts";
import { findPurchases } from "../vtu/index.ts";
import { findDelivery, findEndpoint } from "../webhooks/index.ts";
import type { Findings } from "./findings.ts";
import type { Shape } from "./shapes.ts";

interface LookUp {
  ctx: MerchantContext;
  found: Findings;
}

/** Reads the records that match a shape, each by an index. */
export async function lookUp(at: LookUp, shape: Shape): Promise<unknown> {
  const { ctx, found } = at;
  switch (shape.type) {
    case "id":
      return BY_ID[shape.kind]?.(at, shape.id);
    case "reference":
      return found.look("links", (limit) => findLinks(ctx, { reference: shape.reference }, limit));
    case "account":
      return lookUpTransfers(at, { accountNumber: shape.accountNumber });
    case "session":
      return lookUpTransfers(at, { sessionIds: shape.sessionIds });
    case "recipient":
      return found.look("purchases", (limit) => findPurchases(ctx, { recipient: shape.recipient }, limit));
    case "phone":
      return lookUpPhone(at, shape.phone);
    case "email":
      return Promise.all([
        lookUpEmail(at, shape.email),
        found.look("cardholders", (limit) => findCardholders(ctx, { email: shape.email }, limit)).then((people) => cardsOf(at, people)),
      ]);
    case "last4":
      return found.look("cards", (limit) => findCards(ctx, { last4: shape.last4 }, limit));
    case "cardholder":
      return cardsOf(at, await found.look("cardholders", (limit) => findCardholders(ctx, { id: shape.id }, limit)));
  }
}

/** Reads the links and payouts of a number of an account, or of a session of banks, and the links whose refunds have it. */
const lookUpTransfers = ({ ctx, found }: LookUp, by: { accountNumber: string } | { sessionIds: string[] }) =>
  Promise.all([
    found.look("links", (limit) => findLinks(ctx, by, limit)),
    found.look("links", async (limit) => linksOf(ctx, await findRefunds(ctx, by, limit))),
    found.look("payouts", (limit) => findPayouts(ctx, by, limit)),
  ]);

const linksOf = async (ctx: MerchantContext, refunds: Refund[]) =>
  (await Promise.all([...new Set(refunds.map(({ linkId }) => linkId))].map((id) => findLinks(ctx, { id }, 1)))).flat();

const linkOfRefund = ({ ctx, found }: LookUp, id: string) =>
  found.look("links", async (limit) => linksOf(ctx, await findRefunds(ctx, { id }, limit)));

/** Reads all records of a person: purchases for the phone, and cardholders with it, with their cards and the records under their emails. */
async function lookUpPhone(at: LookUp, phone: string): Promise<unknown> {
  const { ctx, found } = at;
  return Promise.all([
    found.look("purchases", (limit) => findPurchases(ctx, { recipient: phone }, limit)),
    found.look("purchases", (limit) => findPurchases(ctx, { customerPhone: phone }, limit)),
    found
      .look("cardholders", (limit) => findCardholders(ctx, { phone }, limit))
      .then((people) => Promise.all([cardsOf(at, people), ...people.map(({ email }) => lookUpEmail(at, email))])),
  ]);
}

const lookUpEmail = ({ ctx, found }: LookUp, customerEmail: string) =>
  Promise.all([
    found.look("links", (limit) => findLinks(ctx, { customerEmail }, limit)),
    found.look("purchases", (limit) => findPurchases(ctx, { customerEmail }, limit)),
  ]);

const cardsOf = ({ ctx, found }: LookUp, people: Cardholder[]) =>
  Promise.all(people.map(({ id }) => found.look("cards", (limit) => findCards(ctx, { cardholderId: id }, limit))));

const cardWith = ({ ctx, found }: LookUp, id: string) => found.look("cards", (limit) => findCards(ctx, { id }, limit));
const linkWith = ({ ctx, found }: LookUp, id: string) => found.look("links", (limit) => findLinks(ctx, { id }, limit));
const payoutWith = ({ ctx, found }: LookUp, id: string) => found.look("payouts", (limit) => findPayouts(ctx, { id }, limit));
const purchaseWith = ({ ctx, found }: LookUp, id: string) => found.look("purchases", (limit) => findPurchases(ctx, { id }, limit));

/** Returns a list with the record, or an empty list. */
const listOf = async <Thing>(finding: Promise<Thing | undefined>): Promise<Thing[]> => {
  const thing = await finding;
  return thing === undefined ? [] : [thing];
};

/** The reader for each kind of id of a record that merchants can see. Other ids find nothing. */
const BY_ID: Partial<Record<IdKind, (at: LookUp, id: string) => Promise<unknown>>> = {
  paymentLink: linkWith,
  bankTransfer: ({ ctx, found }, transferId) => found.look("links", (limit) => findLinks(ctx, { transferId }, limit)),
  card: cardWith,
  cardOperation: async (at, id) => cardsWith(at, await at.found.look("operations", () => findOperations(at.ctx, id))),
  cardTransaction: async (at, id) => cardsWith(at, await at.found.look("transactions", () => findSpend(at.ctx, id))),
  purchase: purchaseWith,
  payout: payoutWith,
  refund: linkOfRefund,
  ledgerTransfer: async (at, id) => {
    const [moved] = await at.found.look("walletTransactions", () => listOf(findWalletTransaction(at.ctx, id)));
    return moved?.related && lookUpRelated(at, moved.related);
  },
  event: ({ ctx, found }, id) => found.look("events", () => listOf(findEvent(ctx, id))),
  alert: ({ ctx, found }, id) => found.look("alerts", () => listOf(findAlert(ctx, id))),
  webhookEndpoint: ({ ctx, found }, id) => found.look("endpoints", () => listOf(findEndpoint(ctx, id))),
  webhookDelivery: ({ ctx, found }, id) => found.look("deliveries", () => listOf(findDelivery(ctx, id))),
};

const cardsWith = (at: LookUp, about: { card: { id: string } }[]) => Promise.all(about.map(({ card }) => cardWith(at, card.id)));

/** Reads the record whose money moved: the link, the purchase, the payout, or the card. */
async function lookUpRelated(at: LookUp, { type, id, cardId }: Related): Promise<unknown> {
  if (type === "payment_link") return linkWith(at, id);
  if (type === "purchase") return purchaseWith(at, id);
  if (type === "payout") return payoutWith(at, id);
  if (type === "refund") return linkOfRefund(at, id);
  return cardId === null ? undefined : cardWith(at, cardId);
}
