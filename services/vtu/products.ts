import { and, asc, eq, isNull } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { db, sql } from "#db/client.ts";
import { products } from "#db/schema/vtu.ts";
import { Problem } from "#lib/problem.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { MerchantContext } from "../context.ts";
import { aggregators } from "../providers/index.ts";
import type { ProductRow } from "./purchase.ts";

type Service = ProductRow["service"];

const LISTS_KEPT = 50;
/** A list is some seconds old at the most. What is bought is never read from it. */
const lists = new LRUCache<string, ProductRow[]>({ max: LISTS_KEPT, ttl: 5 * SECOND_MS });

interface Wanted {
  service: Service;
  brand?: string | undefined;
}

/** What the merchant can buy of a service, in the order of people: by brand, then by price. Throws PROVIDER_UNAVAILABLE. */
export async function listProducts({ merchant }: MerchantContext, { service, brand }: Wanted): Promise<ProductRow[]> {
  const provider = aggregators.for(merchant).name;
  const key = `${provider}/${service}`;
  const all = lists.get(key) ?? (await readList(provider, service));
  lists.set(key, all);
  return brand === undefined ? all : all.filter((product) => product.brand === brand.toLowerCase());
}

async function readList(provider: string, service: Service): Promise<ProductRow[]> {
  return db()
    .select()
    .from(products)
    .where(and(eq(products.provider, provider), eq(products.service, service), isNull(products.withdrawnAt)))
    .orderBy(asc(products.brand), asc(products.sellingPrice), asc(products.id));
}

interface RawProduct {
  id: number;
  provider: string;
  service: Service;
  code: string;
  name: string;
  brand: string;
  variant: string | null;
  size: string | null;
  validity: string | null;
  selling_price: bigint | null;
  has_letters: boolean;
  created_at: string;
}

/** What can be bought now, as it is now. Throws PRODUCT_UNAVAILABLE. */
export async function getProduct(provider: string, service: Service, id: number): Promise<ProductRow> {
  return sold(
    await sql()<RawProduct[]>`
      select * from products where id = ${id} and provider = ${provider} and service = ${service} and withdrawn_at is null`,
  );
}

/** The airtime of a network. Throws PRODUCT_UNAVAILABLE. */
export async function getAirtime(provider: string, network: string, variant: string): Promise<ProductRow> {
  return sold(
    await sql()<RawProduct[]>`
      select * from products where provider = ${provider} and service = 'airtime' and brand = ${network} and variant = ${variant}
        and withdrawn_at is null limit 1`,
    `Airtime of this network is not sold by ${variant} here. Leave provider out, or choose another.`,
  );
}

const CHOOSE_AGAIN = "This is not sold, or not any more. Read the list again and choose from what is on it.";

function sold([row]: readonly RawProduct[], otherwise = CHOOSE_AGAIN): ProductRow {
  if (!row) throw new Problem("PRODUCT_UNAVAILABLE", otherwise);
  const { id, provider, service, code, name, brand, variant, size, validity } = row;
  return {
    ...{ id, provider, service, code, name, brand, variant, size, validity },
    sellingPrice: row.selling_price,
    hasLetters: row.has_letters,
    withdrawnAt: null,
    createdAt: new Date(row.created_at),
  };
}
