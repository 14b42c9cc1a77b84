import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import { merchantNumbersIn } from "#lib/references.ts";

const MAX_KNOWN = 10_000;
/** Ids by number. A merchant keeps its number, so no entry becomes wrong. */
const known = new LRUCache<number, string>({ max: MAX_KNOWN });

/**
 * Returns the id of the merchant that a reference of a link, or the id of a purchase, payout or refund, names. Returns undefined for any other text. Whether
 * that merchant has such a thing is not checked here.
 */
export async function findMerchantOf(reference: string): Promise<string | undefined> {
  for (const number of merchantNumbersIn(reference)) {
    const merchantId = known.get(number) ?? (await findByNumber(number));
    if (merchantId !== undefined) return merchantId;
  }
  return undefined;
}

async function findByNumber(number: number): Promise<string | undefined> {
  const [merchant] = await sql()<{ id: string }[]>`select id from merchants where number = ${number}`;
  if (merchant) known.set(number, merchant.id);
  return merchant?.id;
}
