import { db, sql, transaction } from "#db/client.ts";
import { cardholders, cardOperations, cards } from "#db/schema/cards.ts";
import { bankSessions, bankTransfers, oneTimeAccounts, paymentLinks } from "#db/schema/checkout.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import { purchases } from "#db/schema/vtu.ts";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks.ts";
import { newCardholderId, newId, newReference } from "#lib/ids.ts";
import { naira } from "#lib/money.ts";
import { newLinkReference, newPurchaseId } from "#lib/references.ts";
import { raiseAlert } from "../alerts/index.ts";
import type { Area, MerchantContext } from "../context.ts";
import { appendEvent } from "../events/index.ts";
import { postTransfers, SETTLEMENT_BANK, WALLET } from "../ledger/index.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { ALL_PERMISSIONS } from "../permissions.ts";
import type { SearchResult } from "./index.ts";

/** A merchant whose key may do everything. */
export async function aSearcher(areas?: Area[]): Promise<TestMerchant> {
  const shop = await aMerchant(areas && { areas });
  return { ...shop, ctx: { ...shop.ctx, permissions: ALL_PERMISSIONS } };
}

/** The context of the live merchant of the same business, whose key may do everything. */
export const liveOf = ({ ctx, liveMerchantId }: TestMerchant): MerchantContext => ({
  ...ctx,
  merchant: { ...ctx.merchant, id: liveMerchantId, mode: "live" },
});

let made = 0;

/** Returns digits that no earlier call in this file has returned. */
const digits = (count: number) => `1${String(made++).padStart(count - 1, "0")}`;
const madeBy = "system:test";
const soon = () => new Date(Date.now() + 60_000);

export async function addLink(merchantId: string, changes: Partial<typeof paymentLinks.$inferInsert> = {}) {
  const [id, reference, accountNumber] = [newId("paymentLink"), newLinkReference(1), digits(10)];
  const [link] = await db()
    .insert(paymentLinks)
    .values({
      ...{ merchantId, id, reference, amount: 500_000n, provider: "sandbox", providerReference: reference, accountNumber, madeBy },
      ...{ accountName: "Ada's Shop", bankName: "Sandbox Bank (test)", checkoutUrl: "https://bank.example", expiresAt: soon(), ...changes },
    })
    .returning();
  if (!link) throw new Error("no link");
  await db()
    .insert(oneTimeAccounts)
    .values({ provider: link.provider, accountReference: reference, accountNumber: link.accountNumber, merchantId, linkId: link.id });
  return link;
}

export async function addTransfer(merchantId: string, linkId: string, sessionId: string) {
  const id = newId("bankTransfer");
  await db().insert(bankSessions).values({ provider: "sandbox", sessionId, merchantId, transferId: id });
  await db()
    .insert(bankTransfers)
    .values({
      ...{ merchantId, id, linkId, provider: "sandbox", sessionId, accountNumber: "1", amount: 1n, currency: "NGN" },
      ...{ classification: "underpaid", disposition: "returned", receivedAt: new Date() },
    });
  return id;
}

export async function addCardholder(merchantId: string, changes: Partial<typeof cardholders.$inferInsert> = {}) {
  const id = newCardholderId();
  const [holder] = await db()
    .insert(cardholders)
    .values({
      ...{ merchantId, id, reference: newReference(), firstName: "Ngozi", lastName: "Eze", email: `p${id}@example.com` },
      ...{ kycStatus: "APPROVED", provider: "sandbox", madeBy, ...changes },
    })
    .returning();
  if (!holder) throw new Error("no cardholder");
  return holder;
}

export async function addCard(merchantId: string, cardholderId: number, last4 = digits(4)) {
  const id = newId("card");
  await db()
    .insert(cards)
    .values({
      ...{ merchantId, id, cardholderId, brand: "VISA", status: "ACTIVE", provider: "sandbox", providerReference: id },
      ...{ last4, expiryMonth: 1, expiryYear: 2030, madeBy },
    });
  return { id, last4 };
}

async function addOperation(merchantId: string, cardId: string) {
  const id = newId("cardOperation");
  await db()
    .insert(cardOperations)
    .values({
      ...{ merchantId, id, cardId, type: "freeze", status: "completed", reference: id, amount: 0n, fee: 0n, walletAmount: 0n },
      ...{ completedAt: new Date(), madeBy },
    });
  return id;
}

async function addSpend(merchantId: string, cardId: string) {
  const id = newId("cardTransaction");
  await db()
    .insert(cardTransactions)
    .values({
      ...{ merchantId, cardId, id, providerTransactionId: id, type: "CLEARING", status: "COMPLETED", amount: 100n, currency: "USD" },
      ...{ merchantName: "Shop", occurredAt: new Date() },
    });
  return id;
}

export async function addPurchase(merchantId: string, changes: Partial<typeof purchases.$inferInsert> = {}) {
  const id = changes.id ?? newPurchaseId(1);
  await db()
    .insert(purchases)
    .values({
      ...{
        merchantId,
        id,
        service: "electricity",
        status: "success",
        provider: "sandbox",
        productId: 1,
        productCode: "x",
        productName: "x",
      },
      ...{ recipient: `45${digits(9)}`, quantity: 1, unitPrice: 100n, amount: 100n, charged: 100n, secrets: "sealed", madeBy },
      ...{ completedAt: new Date(), ...changes },
    });
  return id;
}

/** Posts money into the wallet. Returns the id of the transfer. */
export async function addToWallet(merchantId: string, key: string): Promise<string> {
  const transfer = { kind: "post" as const, key, debit: SETTLEMENT_BANK, credit: WALLET, amount: naira(1) };
  const [posted] = await postTransfers(db(), merchantId, [transfer]);
  if (!posted?.transferId) throw new Error("not posted");
  return posted.transferId;
}

async function addEvent(merchantId: string) {
  await transaction((tx) => appendEvent(tx, merchantId, "checkout.success", {}));
  const [event] = await sql()<{ id: string }[]>`select id from events where merchant_id = ${merchantId} order by sequence desc limit 1`;
  return event?.id ?? "";
}

async function addDelivery(merchantId: string, eventId: string) {
  const [endpointId, id] = [newId("webhookEndpoint"), newId("webhookDelivery")];
  await db().insert(webhookEndpoints).values({ merchantId, id: endpointId, url: "https://shop.example" });
  await db().insert(webhookDeliveries).values({ merchantId, id, endpointId, eventId, eventType: "checkout.success", sequence: 1n });
  return { endpointId, id };
}

async function addAlert(merchantId: string) {
  await transaction((tx) => raiseAlert(tx, merchantId, { type: "card.blocked", message: "x", resourceId: "x" }));
  const [alert] = await sql()<{ id: string }[]>`select id from alerts where merchant_id = ${merchantId} order by id desc limit 1`;
  return alert?.id ?? "";
}

/** Creates one record of each kind for a person. */
export async function addEverything(merchantId: string) {
  const [phone, email] = [`+234803${digits(7)}`, `Ngozi.${digits(9)}@Example.com`];
  const [meter, smartCard, session] = [`45${digits(9)}`, `70${digits(8)}`, digits(15) + digits(15)];
  const link = await addLink(merchantId, { customerEmail: email });
  const transfer = await addTransfer(merchantId, link.id, session);
  const holder = await addCardholder(merchantId, { email: email.toLowerCase(), phone });
  const card = await addCard(merchantId, holder.id);
  const event = await addEvent(merchantId);
  return {
    ...{ phone, email, meter, smartCard, session, link, transfer, holder, card, event },
    operation: await addOperation(merchantId, card.id),
    spend: await addSpend(merchantId, card.id),
    meterPurchase: await addPurchase(merchantId, { recipient: meter, customer: { email } }),
    cablePurchase: await addPurchase(merchantId, { recipient: smartCard, service: "cable", customer: { phone } }),
    airtimePurchase: await addPurchase(merchantId, { recipient: phone, service: "airtime" }),
    moved: await addToWallet(merchantId, `bank_transfer:${transfer}`),
    delivery: await addDelivery(merchantId, event),
    alert: await addAlert(merchantId),
  };
}

export type Everything = Awaited<ReturnType<typeof addEverything>>;

/** Every shape of text, as people paste it, with the ids of the records that it finds. */
export function namesOf(all: Everything): [shape: string, text: string, found: Record<string, unknown[]>][] {
  const [link, card] = [{ links: [all.link.id] }, { cards: [all.card.id] }];
  const person = { ...card, cardholders: [all.holder.id] };
  const ofPhone = [all.airtimePurchase, all.cablePurchase, all.meterPurchase].sort();
  return [
    ["a reference", all.link.reference, link],
    ["a reference in small letters, spaced and quoted", `"${all.link.reference.toLowerCase().replace(/(.{5})/g, "$1 ")}"`, link],
    ["the address of a payer's page", `https://pay.oja.example/pay/${all.link.reference}?from=mail`, link],
    ["an order number", all.link.id.slice(3), link],
    ["the id of a link, in capitals", ` ${all.link.id.toUpperCase()} `, link],
    ["a one-time account", all.link.accountNumber.replace(/(...)/, "$1 "), link],
    ["a bank session", all.session, link],
    ["the id of a bank transfer", all.transfer, link],
    ["the id of a card", all.card.id, card],
    ["the id of a card operation", all.operation, { ...card, operations: [all.operation] }],
    ["the id of spend", all.spend, { ...card, transactions: [all.spend] }],
    ["the last four digits of a card", all.card.last4, card],
    ["a masked card number", `**** **** **** ${all.card.last4}`, card],
    ["a cardholder's id", String(all.holder.id), person],
    ["the id of a purchase", all.meterPurchase, { purchases: [all.meterPurchase] }],
    ["a meter", all.meter.replace(/(....)/g, "$1-"), { purchases: [all.meterPurchase] }],
    ["a smart card", all.smartCard, { purchases: [all.cablePurchase] }],
    ["a phone", `0${all.phone.slice(4)}`, { ...person, ...link, purchases: ofPhone }],
    ["a phone with +234", `+234 ${all.phone.slice(4)}`, { ...person, ...link, purchases: ofPhone }],
    ["an email", `<${all.email}>`, { ...person, ...link, purchases: [all.meterPurchase] }],
    ["the id of a movement of the wallet", all.moved, { ...link, walletTransactions: [all.moved] }],
    ["the id of an event", all.event, { events: [all.event] }],
    ["the id of an endpoint", all.delivery.endpointId, { endpoints: [all.delivery.endpointId] }],
    ["the id of a delivery", all.delivery.id, { deliveries: [all.delivery.id] }],
    ["the id of an alert", all.alert, { alerts: [all.alert] }],
  ];
}

/** Returns the ids of a result by kind, sorted, without the kinds of which it has none. */
export const idsIn = (result: SearchResult): Record<string, unknown[]> =>
  Object.fromEntries(
    Object.entries(result)
      .map(([kind, { items }]) => [kind, items.map(({ id }) => id).sort()] as const)
      .filter(([, ids]) => ids.length > 0),
  );
