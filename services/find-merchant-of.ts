import { LRUCache } from "lru-cache";
import { type Sql, sql } from "#db/client.ts";
import { merchantNumbersIn } from "#lib/references.ts";

const MAX_KNOWN = 10_000;
/** Ids by number. A merchant keeps its number, so no entry becomes wrong. */
const known = new LRUCache<number, string>({ max: MAX_KNOWN });

/**
 * Returns the id of the merchant that a reference of a link, or the id of a purchase, payout or refund, names. Returns undefined for any other text. Whether
 * that merchant has such a thing is not checked here. `reader`: the client of a transaction, in which the pool must not be used.
 */
export async function findMerchantOf(reference: string, reader?: Sql): Promise<string | undefined> {
  for (const number of merchantNumbersIn(reference)) {
    const merchantId = known.get(number) ?? (await findByNumber(reader ?? sql(), number));
    if (merchantId !== undefined) return merchantId;
  }
  return undefined;
}

async function findByNumber(reader: Sql, number: number): Promise<string | undefined> {
  const [merchant] = await reader<{ id: string }[]>`select id from merchants where number = ${number}`;
  if (merchant) known.set(number, merchant.id);
  return merchant?.id;
}
