import { randomInt } from "node:crypto";
import { request } from "undici";
import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { naira } from "#lib/money.ts";
import { newPurchaseId } from "#lib/references.ts";
import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import type { Delivery } from "#providers/aggregator.ts";
import { until } from "#testing/until.ts";
import { addToWallet } from "../cards/cards.fixture.ts";
import { madeBy } from "../context.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { aggregators } from "../providers/index.ts";
import type { PurchaseRequest } from "./buying/buy-product.ts";
import { claimPurchase, type Quoted } from "./buying/claim-purchases.ts";
import type { Final } from "./buying/transition.ts";
import { skuOf } from "./catalogue/sku.ts";
import { syncCatalogue } from "./catalogue/sync-catalogue.ts";
import { settleReading } from "./outcomes/settle-reading.ts";
import type { ProductRow } from "./product.ts";
import type { PurchaseRow } from "./purchase.ts";
import { findPurchase } from "./purchases/read-purchases.ts";

export const AGGREGATORS = ["sandbox", "sandbox-vtpass"] as const;
export type AggregatorName = (typeof AGGREGATORS)[number];

/** Returns a merchant with `wallet` Naira at one of the test aggregators. Reads the aggregator's product list if none is stored. */
export async function aVtuMerchant({
  aggregator = "sandbox",
  wallet = 1_000_000,
}: {
  aggregator?: AggregatorName;
  wallet?: number;
} = {}): Promise<TestMerchant> {
  const shop = await aMerchant({ aggregator });
  if (wallet > 0) await addToWallet(shop, naira(wallet));
  const [known] = await sql()`select from products where provider = ${aggregator} limit 1`;
  if (!known) await readListOf(aggregator);
  return shop;
}

/** Reads an aggregator's product list and stores it, as the worker does. Throws if the list cannot be read. */
export async function readListOf(aggregator: AggregatorName) {
  const known = aggregators.named(aggregator);
  const synced = known && (await syncCatalogue(known));
  if (!synced) throw new Error(`the list of ${aggregator} could not be read`);
  return synced;
}

/** Returns the product whose code at the aggregator ends in `code`. Throws an Error if it sells no such product. */
export async function productNamed(
  aggregator: AggregatorName,
  service: ProductRow["service"],
  code: string,
): Promise<{ id: number; code: string }> {
  const [product] = await sql()<{ id: number; code: string }[]>`
    select id, code from products where provider = ${aggregator} and service = ${service} and rtrim(code, '/') like ${`%${code}`}`;
  if (!product) throw new Error(`no ${service} like ${code} at ${aggregator}`);
  return product;
}

let phones = randomInt(1_000);

/** Returns a phone number with this ending. The same number comes again only after 10,000 calls. */
export const aPhone = (ending = "6789") => `+23480${String(phones++ % 10_000).padStart(4, "0")}${ending}`;

/** The numbers differ, because a purchase for the same number within 30 s is refused as a duplicate. */
let numbers = randomInt(1_000);

export const aMeter = (ending = "6789") => `45${String(numbers++ % 100_000).padStart(5, "0")}${ending}`;
export const aSmartCard = (ending = "6789") => `70${String(numbers++ % 10_000).padStart(4, "0")}${ending}`;

/** Naira for `airtime()` and for `aClaimedPurchase()`, unless a test changes it. */
export const AIRTIME_PRICE = naira(500);

export const airtime = (changes: Partial<Extract<PurchaseRequest, { service: "airtime" }>> = {}): PurchaseRequest => ({
  service: "airtime",
  network: "mtn",
  variant: "VTU",
  phone: aPhone(),
  amount: AIRTIME_PRICE,
  allowDuplicate: false,
  ...changes,
});

let mtn: ReturnType<typeof productNamed> | undefined;

/** Returns the product that `aClaimedPurchase` orders. The sandbox's product list must be stored (`aVtuMerchant`). */
export function mtnAirtime(): ReturnType<typeof productNamed> {
  mtn ??= productNamed("sandbox", "airtime", "mtn-vtu");
  return mtn;
}

/** Returns the SKU of MTN airtime for so many kobo. */
export const skuOfMtn = (amount: bigint): string =>
  skuOf({ service: "airtime", brand: "mtn", name: "MTN airtime", size: null, validity: null }, amount);

let claims = 0;

/** Stores a purchase and holds its money. No aggregator is asked. */
export async function aClaimedPurchase({ ctx, merchant }: TestMerchant, changes: Partial<Quoted> = {}): Promise<PurchaseRow> {
  const product = await mtnAirtime();
  const amount = changes.amount ?? AIRTIME_PRICE.minor;
  const purchase = await claimPurchase({
    merchantId: merchant.id,
    // In the order of the calls, also within a millisecond.
    id: newPurchaseId(merchant.number, claims++),
    service: "airtime",
    provider: "sandbox",
    productId: product.id,
    productCode: product.code,
    productName: "MTN airtime (VTU)",
    recipient: aPhone(),
    variant: "VTU",
    sku: skuOfMtn(amount),
    customer: {},
    metadata: {},
    quantity: 1,
    unitPrice: amount,
    amount,
    madeBy: madeBy(ctx),
    isMeant: true,
    ...changes,
  });
  if (!purchase) throw new Error("claimed before");
  return purchase;
}

/** Returns the row of a purchase as it is now. */
export async function currentRow({ merchantId, id }: Pick<PurchaseRow, "merchantId" | "id">): Promise<PurchaseRow> {
  const row = await findPurchase(merchantId, id);
  if (!row) throw new Error(`no purchase ${id}`);
  return row;
}

export const EMPTY_DELIVERY: Delivery = { tokens: [], units: null, pins: [] };
export const DELIVERED: Final = { status: "delivered", delivery: EMPTY_DELIVERY };
export const FAILED: Final = { status: "failed", reason: "The provider took it back." };

/** Settles a purchase by an outcome that was read under a fencing token. Returns the row as it is then. */
export async function settleAsRead(purchase: PurchaseRow, outcome: Final, fencingToken = 0): Promise<PurchaseRow> {
  await settleReading(purchase, outcome, { fencingToken });
  return currentRow(purchase);
}

/** Sends a signed call to a test aggregator, as the adapter does, but not through the product. */
export async function tellAggregator(aggregator: AggregatorName, operation: string, content: Record<string, unknown>): Promise<void> {
  const body = JSON.stringify(content);
  const path = aggregator === "sandbox" ? "aggregator" : "aggregator-vtpass";
  const reply = await request(`${settings().SANDBOX_URL}/sandbox/${path}/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-sandbox-signature": sign(sandboxRequestSecret(), body) },
    body,
  });
  await reply.body.dump();
  if (reply.statusCode >= 300) throw new Error(`the aggregator answered ${reply.statusCode} to ${operation}`);
}

export type VtuFault = "hang_before" | "error_before" | "hang_after" | "error_after" | "nonsense" | "unknown_word" | "refuse";

/** Makes the next call of this operation fail: for one recipient or, by default, for any. */
export const orderVtuFault = (aggregator: AggregatorName, operation: "buy" | "order" | "customer", fault: VtuFault, subject = "*") =>
  tellAggregator(aggregator, "faults", { operation, fault, subject });

/** Makes a purchase one hour older and due. By that age the aggregator would know it if it had received it. */
export async function letPurchaseAge({ merchantId, id }: Pick<PurchaseRow, "merchantId" | "id">): Promise<void> {
  await sql()`
    update purchases set created_at = created_at - interval '1 hour', next_attempt_at = now() - interval '1 second' where merchant_id = ${merchantId} and id = ${id}`;
}

/** Waits until the purchase has this status, and returns it. Throws after 20 s. */
export async function purchaseThatIs(status: PurchaseRow["status"], { merchant }: TestMerchant, id: string): Promise<PurchaseRow> {
  return until(async () => {
    const purchase = await findPurchase(merchant.id, id);
    return purchase?.status === status && purchase;
  }, 20_000);
}

/** Returns the kobo in the wallet, and how many of them are held. */
export async function walletOf(merchantId: string): Promise<{ balance: bigint; held: bigint }> {
  const [row] = await sql()<{ balance: bigint; held: bigint }[]>`
    select posted_credits - posted_debits as balance, pending_debits as held from ledger_accounts where merchant_id = ${merchantId} and account = 'wallet'`;
  if (!row) throw new Error("no wallet");
  return row;
}
