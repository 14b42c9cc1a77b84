import { randomInt } from "node:crypto";
import { request } from "undici";
import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { naira } from "#lib/money.ts";
import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { until } from "#testing/until.ts";
import { addToWallet } from "../cards/cards.fixture.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { aggregators } from "../providers/index.ts";
import type { Wish } from "./buy-product.ts";
import type { ProductRow } from "./product.ts";
import type { PurchaseRow } from "./purchase.ts";
import { findPurchase } from "./read-purchases.ts";
import { syncCatalogue } from "./sync-catalogue.ts";

export const AGGREGATORS = ["sandbox", "sandbox-vtpass"] as const;
export type AggregatorName = (typeof AGGREGATORS)[number];

/** A merchant with money in its wallet, at one of the test aggregators, whose list has been read. */
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

/** Reads an aggregator's list, as the worker does. */
export async function readListOf(aggregator: AggregatorName) {
  const known = aggregators.named(aggregator);
  const synced = known && (await syncCatalogue(known));
  if (!synced) throw new Error(`the list of ${aggregator} could not be read`);
  return synced;
}

/** A product by the end of the aggregator's name for it. */
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

/** A phone whose number ends so, and is nobody else's for the next 10,000. */
export const aPhone = (ending = "6789") => `+23480${String(phones++ % 10_000).padStart(4, "0")}${ending}`;

/** Counted, because the same number twice within 30 s is refused as a duplicate purchase. */
let numbers = randomInt(1_000);

export const aMeter = (ending = "6789") => `45${String(numbers++ % 100_000).padStart(5, "0")}${ending}`;
export const aSmartCard = (ending = "6789") => `70${String(numbers++ % 10_000).padStart(4, "0")}${ending}`;

export const airtime = (changes: Partial<Extract<Wish, { service: "airtime" }>> = {}): Wish => ({
  service: "airtime",
  network: "mtn",
  variant: "VTU",
  phone: aPhone(),
  amount: naira(500),
  allowDuplicate: false,
  ...changes,
});

/** Speaks to a test aggregator as we do, past the product. */
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

/** The next such call goes wrong: about one recipient, or any. */
export const orderVtuFault = (aggregator: AggregatorName, operation: "buy" | "order" | "customer", fault: VtuFault, subject = "*") =>
  tellAggregator(aggregator, "faults", { operation, fault, subject });

/** So long passes for a purchase that it is due, and that the aggregator would know of it if it had been asked. */
export async function letPurchaseAge({ merchantId, id }: Pick<PurchaseRow, "merchantId" | "id">): Promise<void> {
  await sql()`
    update purchases set created_at = created_at - interval '1 hour', next_attempt_at = now() where merchant_id = ${merchantId} and id = ${id}`;
}

/** The purchase once it has that status. */
export async function purchaseThatIs(status: PurchaseRow["status"], { merchant }: TestMerchant, id: string): Promise<PurchaseRow> {
  return until(async () => {
    const purchase = await findPurchase(merchant.id, id);
    return purchase?.status === status && purchase;
  }, 20_000);
}

/** Kobo in the wallet, and what is held of it. */
export async function walletOf(merchantId: string): Promise<{ balance: bigint; held: bigint }> {
  const [row] = await sql()<{ balance: bigint; held: bigint }[]>`
    select posted_credits - posted_debits as balance, pending_debits as held from ledger_accounts where merchant_id = ${merchantId} and account = 'wallet'`;
  if (!row) throw new Error("no wallet");
  return row;
}
