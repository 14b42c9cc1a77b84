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
import type { SimulateSpend } from "./contract.ts";
import { createCardholder } from "./create-cardholder.ts";
import { issueCard } from "./issue-card.ts";
import { fundCard } from "./move-money.ts";
import { getCardholder } from "./read-cardholders.ts";
import { getCard } from "./read-cards.ts";
import { findOperation, getCardRow } from "./rows.ts";

export const ISSUERS = ["sandbox", "sandbox-async"] as const;
export type IssuerName = (typeof ISSUERS)[number];

/** A merchant with money in its wallet, at one of the test issuers. */
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

export async function addToWallet({ merchant }: TestMerchant, amount: Money): Promise<void> {
  const key = `test:${randomBytes(8).toString("hex")}`;
  await postTransfers(db(), merchant.id, [{ kind: "post", key, debit: SETTLEMENT_BANK, credit: WALLET, amount }]);
}

let people = 0;

export async function anApprovedCardholder({ ctx }: TestMerchant): Promise<Cardholder> {
  const email = `person-${process.pid}-${people++}@example.com`;
  const { cardholder } = await createCardholder(ctx, { firstName: "Ngozi", lastName: "Eze", email, phone: null });
  // The issuer need not look at it for seconds.
  await sql()`update sandbox.cardholders set decides_at = now() where email = ${email}`;
  return until(async () => {
    const now = await getCardholder(ctx, cardholder.id);
    return now.kycStatus === "APPROVED" && now;
  });
}

/** A card with all that its row keeps, for tests that speak to its issuer past the product. */
export type TestCard = CardRow & { balance: Money };

export async function readTestCard({ ctx }: TestMerchant, id: string): Promise<TestCard> {
  const { balance } = await getCard(ctx, id);
  return { ...(await getCardRow(ctx, id)), balance };
}

/** An ACTIVE card with `balance` dollars on it. */
export async function aCard(
  shop: TestMerchant,
  { balance = 0, cardholder }: { balance?: number; cardholder?: Cardholder } = {},
): Promise<TestCard> {
  const holder = cardholder ?? (await anApprovedCardholder(shop));
  const { id } = await issueCard(shop.ctx, { cardholderId: holder.id, brand: "VISA", nickname: null });
  // Active, and synced since it was made, so that nothing but a notice or a test makes it due.
  await until(async () => {
    const { status, nextSyncAt } = await getCardRow(shop.ctx, id);
    return status === "ACTIVE" && nextSyncAt && nextSyncAt.getTime() > Date.now() + HOUR_MS;
  });
  if (balance > 0) await settled(await fundCard(shop.ctx, id, { amount: dollars(balance), maxExchangeRate: null }));
  return readTestCard(shop, id);
}

/** The operation once the issuer has decided, told by its own notice where it is the asynchronous one. */
export async function settled({ merchantId, id }: Pick<CardOperation, "merchantId" | "id">): Promise<OperationRow> {
  return until(async () => {
    const operation = await findOperation(merchantId, id);
    return operation && operation.status !== "processing" && operation;
  }, 20_000);
}

/** Speaks to a test issuer as we do, past the product. */
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

export type Fault = "hang_before" | "error_before" | "hang_after" | "error_after" | "nonsense" | "refuse";

/** The next operation of that kind goes wrong: of one card, or of any. */
export const orderFault = (
  issuer: IssuerName,
  operation: string,
  fault: Fault,
  card: Pick<CardRow, "providerReference"> | undefined = undefined,
) => tellIssuer(issuer, "faults", { operation, fault, card: card?.providerReference ?? "*" });

/** So long passes for an operation that it is due, and that the issuer would know of it if it had been taken. */
export async function letTimePass({ merchantId, id }: Pick<CardOperation, "merchantId" | "id">): Promise<void> {
  await sql()`
    update card_operations set created_at = created_at - interval '1 hour', asked_at = asked_at - interval '1 hour', next_attempt_at = now()
    where merchant_id = ${merchantId} and id = ${id} and status = 'processing'`;
}

/** What a shop does: by default it authorizes one dollar. */
export const spendOf = (changes: Partial<SimulateSpend> = {}): SimulateSpend => ({
  type: "AUTHORIZATION",
  amount: dollars(1),
  merchant_name: "Ikeja Supermarket",
  ...changes,
});

/** A row as an issuer lists it. */
export const spendRow = (
  row: Pick<SpendTransaction, "transactionReference" | "type" | "amount"> & Partial<SpendTransaction>,
): SpendTransaction => ({
  relatedReference: null,
  merchant: { name: "Shop", categoryCode: null, city: null, country: null },
  declineReason: null,
  occurredAt: new Date(),
  ...row,
});

export function issuerOf({ provider }: Pick<CardRow, "provider">): Issuer {
  const found = issuers.named(provider);
  if (!found) throw new Error("no issuer");
  return found;
}

/** Differences with issuers that nothing has explained yet. */
export const openItemsOf = ({ merchant }: TestMerchant) =>
  sql()<
    { id: string; kind: string; open: bigint }[]
  >`select id, kind, open from suspense_items where merchant_id = ${merchant.id} and open <> 0`;

/** A shop charges or pays back, and the issuer says nothing of it for now. Returns its name for the transaction. */
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
