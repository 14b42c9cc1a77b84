import { sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import { IS_BRAND_CHANGE } from "#db/schema/audit.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";

/**
 * A payer's page names the logo of the time when it was made, and may load it later: in a tab of an unused phone, or through a shared
 * cache that asks again. Pages are `no-store` and a link is open for half an hour, so a day would be enough for most. A week covers a tab
 * that is opened again after a weekend, and a logo has 5 KB. A browser that has the picture keeps it for a year without us.
 */
const KEPT_FOR_DAYS = 7;
/** Logos of one statement. Few, because PostgreSQL scans all brands for each deleted logo: no index leads from a logo to its brands. */
const LOGOS_AT_ONCE = 200;

/** Deletes logos that no brand has used for a week. Returns how many. */
export const purgeUnusedLogos = verb(
  { actor: ["system"] },
  (_ctx: SystemContext): Promise<number> =>
    inBatches(async (max) => ({ count: await transaction((tx) => purgeSome(tx, max)) }), LOGOS_AT_ONCE),
);

async function purgeSome(tx: Tx, max: number): Promise<number> {
  const found = await tx.execute<{ name: string }>(unusedLogos(max));
  if (found.length === 0) return 0;
  // A brand may have started to use a logo before the lock. This statement sees that. Later no brand can, because `storeLogo` waits.
  const gone = await tx.execute(
    sql`delete from logos l where l.name in ${found.map(({ name }) => name)} and ${IS_UNUSED} returning l.name`,
  );
  return gone.length;
}

/** Returns a query of the names of unused logos, which it locks. */
export const unusedLogos = (max: number) => sql`select l.name from logos l where ${IS_UNUSED} limit ${max} for update skip locked`;

/** The audit has the time when a brand stopped using a logo. The partial index of brands' changes serves this query. */
const IS_UNUSED = sql`
  l.created_at < now() - ${KEPT_FOR_DAYS} * interval '1 day'
  and not exists (select from businesses b where b.logo = l.name)
  and not exists (
    select from audit_entries e
    where ${sql.raw(IS_BRAND_CHANGE)} and e.created_at >= now() - ${KEPT_FOR_DAYS} * interval '1 day' and e.before ->> 'logo' = l.name
  )`;
