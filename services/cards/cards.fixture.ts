import { randomBytes } from "node:crypto";
import { request } from "undici";
import { db, sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { dollars, type Money, naira } from "#lib/money.ts";
import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { Issuer, SpendTransaction } from "#providers/issuer.ts";
import { until } from "#testing/until.ts";
import { postTransfers, SETTLEMENT_BANK, WALLET } from "../ledger/index.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { issuers } from "../providers/index.ts";
import type { CardRow } from "./card.ts";
import type { CardOperation, OperationRow } from "./card-operation.ts";
import type { Cardholder } from "./cardholder.ts";
import { createCardholder } from "./cardholders/create-cardholder.ts";
import { getCardholder } from "./cardholders/read-cardholders.ts";
import { getCard } from "./cards/read-cards.ts";
import type { SimulateSpend } from "./contract.ts";
import { fundCard } from "./operations/fund-and-unload.ts";
import { issueCard } from "./operations/issue-card.ts";
import { findOperation, getCardRow } from "./rows.ts";

export const ISSUERS = ["sandbox", "sandbox-async"] as const;
export type IssuerName = (typeof ISSUERS)[number];

/** Creates a merchant at one of the test issuers, with `wallet` Naira in its wallet. */
export async function aCardMerchant({
  issuer = "sandbox",
  wallet = 1_000_000,
}: {
  issuer?: IssuerName;
  wallet?: number;
} = {}): Promise<TestMerchant> {
  const shop = await aMerchant({ issuer });
  if (wallet > 0) await addToWallet(shop, naira(wallet));
  return shop;
}

/** Credits the wallet as a bank transfer does, without a payment link. */
export async function addToWallet({ merchant }: TestMerchant, amount: Money): Promise<void> {
  const key = `test:${randomBytes(8).toString("hex")}`;
  await postTransfers(db(), merchant.id, [{ kind: "post", key, debit: SETTLEMENT_BANK, credit: WALLET, amount }]);
}

let people = 0;

/** Creates a cardholder, and returns it once the issuer has approved it. */
export async function anApprovedCardholder({ ctx }: TestMerchant): Promise<Cardholder> {
  const email = `person-${process.pid}-${people++}@example.com`;
  const { cardholder } = await createCardholder(ctx, { firstName: "Ngozi", lastName: "Eze", email, phone: null });
  // Without this, the issuer decides some seconds later.
  await sql()`update sandbox.cardholders set decides_at = now() - interval '1 second' where email = ${email}`;
  return until(async () => {
    const now = await getCardholder(ctx, cardholder.id);
    return now.kycStatus === "APPROVED" && now;
  });
}

/** A card with all columns of its row, for tests that call its issuer directly. */
export type TestCard = CardRow & { balance: Money };

export async function readTestCard({ ctx }: TestMerchant, id: string): Promise<TestCard> {
  const { balance } = await getCard(ctx, id);
  return { ...(await getCardRow(ctx, id)), balance };
}

/** Waits until a new card is ACTIVE, and its first sync over: afterwards only a notice or the test makes it due. */
export async function untilSynced({ ctx }: TestMerchant, id: string): Promise<void> {
  await until(async () => {
    const { status, nextSyncAt } = await getCardRow(ctx, id);
    return status === "ACTIVE" && nextSyncAt && nextSyncAt.getTime() > Date.now() + HOUR_MS;
  });
}

/** Issues a card, and returns it once it is ACTIVE, with `balance` dollars on it. */
export async function aCard(
  shop: TestMerchant,
  { balance = 0, cardholder }: { balance?: number; cardholder?: Cardholder } = {},
): Promise<TestCard> {
  const holder = cardholder ?? (await anApprovedCardholder(shop));
  const { id } = await issueCard(shop.ctx, { cardholderId: holder.id, brand: "VISA", nickname: null });
  await untilSynced(shop, id);
  if (balance > 0) await settled(await fundCard(shop.ctx, id, { amount: dollars(balance) }));
  return readTestCard(shop, id);
}

/** Waits until a notice or a sweep has made an operation final, and returns its row. */
export async function settled({ merchantId, id }: Pick<CardOperation, "merchantId" | "id">): Promise<OperationRow> {
  return until(async () => {
    const operation = await findOperation(merchantId, id);
    return operation && operation.status !== "processing" && operation;
  }, 20_000);
}

/** Sends a signed request to a test issuer, as its adapter does, and returns the JSON answer. Throws an Error on any status from 300 on. */
export async function tellIssuer(issuer: IssuerName, operation: string, content: Record<string, unknown>): Promise<unknown> {
  const body = JSON.stringify(content);
  const path = issuer === "sandbox" ? "issuer" : "issuer-async";
  const reply = await request(`${settings().SANDBOX_URL}/sandbox/${path}/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-sandbox-signature": sign(sandboxRequestSecret(), body) },
    body,
  });
  if (reply.statusCode >= 300) throw new Error(`the issuer answered ${reply.statusCode} to ${operation}`);
  return reply.body.json();
}

/** Makes a card's issuer close the card of its own accord (`shut`), or let its open authorizations expire (`expire`). */
export const tellIssuerAbout = (
  { provider, providerReference }: Pick<CardRow, "provider" | "providerReference">,
  operation: "shut" | "expire",
) =>
  provider === "sandbox"
    ? tellIssuer("sandbox", operation, { card: providerReference })
    : tellIssuer("sandbox-async", operation, { cardToken: providerReference });

export type Fault = "hang_before" | "error_before" | "hang_after" | "error_after" | "nonsense" | "refuse";

/** Makes the next request for `operation` fail at the issuer: the next one for `card`, or without `card` for any card. */
export const orderFault = (
  issuer: IssuerName,
  operation: string,
  fault: Fault,
  card: Pick<CardRow, "providerReference"> | undefined = undefined,
) => tellIssuer(issuer, "faults", { operation, fault, card: card?.providerReference ?? "*" });

/** Moves a processing operation one hour into the past: it is due, and if the issuer had taken it, the issuer would list it by now. */
export async function letTimePass({ merchantId, id }: Pick<CardOperation, "merchantId" | "id">): Promise<void> {
  await sql()`
    update card_operations set created_at = created_at - interval '1 hour', asked_at = asked_at - interval '1 hour', next_attempt_at = now() - interval '1 second'
    where merchant_id = ${merchantId} and id = ${id} and status = 'processing'`;
}

/** Returns a shop's request to the simulator: by default, an authorization of one dollar. */
export const spendOf = (changes: Partial<SimulateSpend> = {}): SimulateSpend => ({
  type: "AUTHORIZATION",
  amount: dollars(1),
  merchant_name: "Ikeja Supermarket",
  ...changes,
});

/** Returns a row of an issuer's list of spend: by default without a related transaction, now. */
export const spendRow = (
  row: Pick<SpendTransaction, "transactionReference" | "type" | "amount"> & Partial<SpendTransaction>,
): SpendTransaction => ({
  relatedReference: null,
  merchant: { name: "Shop", categoryCode: null, city: null, country: null },
  declineReason: null,
  occurredAt: new Date(),
  ...row,
});

/** Returns the adapter of a card's issuer. */
export function issuerOf({ provider }: Pick<CardRow, "provider">): Issuer {
  const found = issuers.named(provider);
  if (!found) throw new Error("no issuer");
  return found;
}

/** Returns the card as its issuer has it, or undefined where the issuer does not find it. */
export async function cardAtIssuer({ provider, providerReference }: Pick<CardRow, "provider" | "providerReference">) {
  const reading = await issuerOf({ provider }).readCard(providerReference ?? "");
  return reading.status === "found" ? reading.found : undefined;
}

/** Returns the row of an operation. Throws an Error if it does not exist. */
export async function operationRow({ merchant }: TestMerchant, id: string): Promise<OperationRow> {
  const row = await findOperation(merchant.id, id);
  if (!row) throw new Error(`no operation ${id}`);
  return row;
}

/** Returns the latest operation of a type that did not fail. Throws an Error if the card has no such operation. */
export async function latestOperation(shop: TestMerchant, cardId: string, type: OperationRow["type"]): Promise<OperationRow> {
  const [found] = await sql()<{ id: string }[]>`
    select id from card_operations
    where merchant_id = ${shop.merchant.id} and card_id = ${cardId} and type = ${type} and status <> 'failed'
    order by created_at desc limit 1`;
  if (!found) throw new Error(`no ${type} of card ${cardId}`);
  return operationRow(shop, found.id);
}

/** Returns true once a card is terminated and synced after its end, so that no more money moves between it and the wallet. */
export const isQuiet = ({ status, nextSyncAt, balance }: TestCard): boolean =>
  status === "TERMINATED" && nextSyncAt !== null && nextSyncAt.getTime() > Date.now() + HOUR_MS && balance.minor === 0n;

/** Returns the suspense items of a merchant that are still open: differences with its issuers that nothing explains yet. */
export const openItemsOf = ({ merchant }: TestMerchant) =>
  sql()<
    { id: string; kind: string; open: bigint }[]
  >`select id, kind, open from suspense_items where merchant_id = ${merchant.id} and open <> 0`;

/** Returns the types of the operators' alerts about a card, an operation or a suspense item. */
export async function operatorAlertsAbout(resourceId: string): Promise<string[]> {
  const alerts = await sql()<{ type: string }[]>`
    select type from alerts where merchant_id = 'mer_platform_test' and resource_id = ${resourceId}`;
  return alerts.map(({ type }) => type);
}

/** Charges a card, or refunds it, by `cents` at the sandbox, which sends no notice. Returns the issuer's reference of the transaction. */
export async function spendSilently(
  { providerReference }: Pick<CardRow, "providerReference">,
  kind: "REFUND" | "AUTHORIZATION",
  cents: bigint,
): Promise<string> {
  const id = `tx_${randomBytes(8).toString("hex")}`;
  const open = kind === "AUTHORIZATION" ? cents : 0n;
  await sql().begin(async (tx) => {
    const [card] = await tx<
      { house: string; state: string }[]
    >`select house, state from sandbox.cards where id = ${providerReference} for update`;
    if (!card) throw new Error("no such card");
    await tx`
      insert into sandbox.card_transactions (house, id, card_id, kind, amount, open, merchant_name, category_code, city, country)
      values (${card.house}, ${id}, ${providerReference}, ${kind}, ${String(cents)}::text::bigint, ${String(open)}::text::bigint, 'Shop', '5411', 'Lagos', 'NG')`;
    if (kind === "REFUND" && card.state !== "closed") {
      await tx`update sandbox.cards set balance = balance + ${String(cents)}::text::bigint where id = ${providerReference}`;
    }
  });
  return id;
}
