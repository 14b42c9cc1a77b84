import { and, asc, eq, inArray, isNull } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { db, sql, type Tx } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { products } from "#db/schema/vtu.ts";
import { Problem } from "#lib/problem.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { MerchantContext } from "../../context.ts";
import { aggregators } from "../../providers/index.ts";
import { type Product, type ProductRow, productFromRow } from "../product.ts";
import { skuOf } from "./sku.ts";

type Service = ProductRow["service"];

const MAX_CACHED_LISTS = 50;
/** Lists for display, at most 5 seconds old. A purchase reads its product from the database. */
const lists = new LRUCache<string, ProductRow[]>({ max: MAX_CACHED_LISTS, ttl: 5 * SECOND_MS });

interface ProductFilter {
  service: Service;
  brand?: string | undefined;
}

/** Returns the products of a service that the merchant can buy, by brand, then by price. Throws PROVIDER_UNAVAILABLE. */
export async function listProducts({ merchant }: MerchantContext, filter: ProductFilter): Promise<Product[]> {
  return (await listRows(aggregators.for(merchant).name, filter)).map(productFromRow);
}

/** As `listProducts`, with their codes at the provider. */
export async function listRows(provider: string, { service, brand }: ProductFilter): Promise<ProductRow[]> {
  const key = `${provider}/${service}`;
  const all = lists.get(key) ?? (await readList(provider, service));
  lists.set(key, all);
  return brand === undefined ? all : all.filter((product) => product.brand === brand.toLowerCase());
}

/** Returns the brand of each of these products, by its id: of airtime the network. Products that are no longer sold have one too. */
export async function readBrands(ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db()
    .select({ id: products.id, brand: products.brand })
    .from(products)
    .where(inArray(products.id, [...new Set(ids)]));
  return new Map(rows.map(({ id, brand }) => [id, brand]));
}

/** Returns the SKUs of products at these face values (kobo), also of products that are no longer sold, by a function. */
export async function readSkus(
  tx: Tx,
  things: { productId: number; amount: bigint }[],
): Promise<(thing: { productId: number; amount: bigint }) => string> {
  const ids = [...new Set(things.map(({ productId }) => productId))];
  const rows = ids.length === 0 ? [] : await tx.select().from(products).where(inArray(products.id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ({ productId, amount }) => {
    const product = byId.get(productId);
    if (!product) throw new Error(`no product ${productId}`);
    return skuOf(product, amount);
  };
}

async function readList(provider: string, service: Service): Promise<ProductRow[]> {
  return db()
    .select()
    .from(products)
    .where(and(eq(products.provider, provider), eq(products.service, service), isNull(products.withdrawnAt)))
    .orderBy(asc(products.brand), asc(products.sellingPrice), asc(products.id));
}

/** Returns a product that is sold now, from the database. Throws PRODUCT_UNAVAILABLE. */
export async function getProduct(provider: string, service: Service, id: number): Promise<ProductRow> {
  return sold(
    await sql()<object[]>`
      select * from products where id = ${id} and provider = ${provider} and service = ${service} and withdrawn_at is null`,
  );
}

/** Returns the airtime product of a network. Throws PRODUCT_UNAVAILABLE. */
export async function getAirtime(provider: string, network: string, variant: string): Promise<ProductRow> {
  return sold(
    await sql()<object[]>`
      select * from products where provider = ${provider} and service = 'airtime' and brand = ${network} and variant = ${variant}
        and withdrawn_at is null limit 1`,
    `Airtime of this network is not sold by ${variant} here. Leave provider out, or choose another.`,
  );
}

const CHOOSE_AGAIN = "This is not sold, or not any more. Read the list again and choose from what is on it.";

function sold([row]: readonly object[], otherwise = CHOOSE_AGAIN): ProductRow {
  if (!row) throw new Problem("PRODUCT_UNAVAILABLE", otherwise);
  return fromRow(products, row);
}
