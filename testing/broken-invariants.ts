import type { Sql } from "#db/client.ts";
import { type BrokenInvariant, findBrokenInvariants } from "#db/invariants.ts";

/** The keys of the product's own postings. Tests post under other keys, such as `test:…`, which have no cause. */
const OWN_KEY = /^(bank_transfer|card_transaction):|^(cop|vtu|sus|po|rfd)_/;

/** Returns the broken invariants of a database, without the postings that the tests themselves have made. */
export async function brokenInvariantsOf(sql: Sql): Promise<BrokenInvariant[]> {
  const broken = await findBrokenInvariants(sql);
  return broken.flatMap(({ name, rows }) => {
    const own = name.startsWith("every posting has a cause") ? rows.filter(({ key }) => OWN_KEY.test(String(key))) : rows;
    return own.length > 0 ? [{ name, rows: own }] : [];
  });
}
