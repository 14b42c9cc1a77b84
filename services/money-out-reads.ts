import { and, eq, type InferSelectModel, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import type { payouts } from "#db/schema/payouts.ts";
import type { refunds } from "#db/schema/refunds.ts";
import { LEASE_MS, MAX_RECHECK_ATTEMPTS, MIN_BETWEEN_READS_MS, RECHECK_AFTER_MS } from "./money-out.ts";
import { waitAfterMs } from "./read-waits.ts";

// The reads of outcomes that are due: one process has the lease of a row, and its fencing token supersedes every earlier answer.

type Table = typeof payouts | typeof refunds;
type Row<T extends Table> = InferSelectModel<T>;
type Key = Pick<Row<Table>, "merchantId" | "id">;

/** Returns a function that finds the keys of the rows of a table which are due at a provider, the longest first. */
export const dueIn =
  (table: Table) =>
  (provider: string, limit: number): Promise<Key[]> =>
    db()
      .select({ merchantId: table.merchantId, id: table.id })
      .from(table)
      .where(and(eq(table.provider, provider), isNotNull(table.nextAttemptAt), lte(table.nextAttemptAt, sql`now()`)))
      .orderBy(table.nextAttemptAt)
      .limit(limit);

/** Takes the lease of a due row and raises the fencing token, which supersedes every earlier answer that is still on its way. */
export async function takeLease<T extends Table>(table: T, { merchantId, id }: Key): Promise<Row<T> | undefined> {
  const [raw] = await db().execute(sql`
    update ${table} set fencing_token = fencing_token + 1, leased_at = now(), next_attempt_at = now() + ${LEASE_MS} * interval '1 ms'
    where merchant_id = ${merchantId} and id = ${id} and next_attempt_at <= now() returning *`);
  return raw && fromRow(table, raw);
}

/** Plans the next read after one that decided nothing. What is final is given up after some reads, but for the last one of a day later. */
export async function planNext(table: Table, leased: Row<Table>): Promise<void> {
  const isGivenUp = leased.status !== "processing" && leased.attempts >= MAX_RECHECK_ATTEMPTS;
  // Wait 0 was before the first read.
  await planFor(table, leased, isGivenUp ? RECHECK_AT : sql`now() + ${waitAfterMs(leased.attempts + 1)} * interval '1 ms'`);
}

/** Plans the last read of a final row. */
export const planRecheck = (table: Table, leased: Row<Table>): Promise<void> => planFor(table, leased, RECHECK_AT);

/** When a final row is read once more: `RECHECK_AFTER_MS` after its end, or never where that time has passed. */
const RECHECK_AT = sql`case
  when later(coalesce(ended_at, paid_at), ${RECHECK_AFTER_MS}) > (select now()) then later(coalesce(ended_at, paid_at), ${RECHECK_AFTER_MS}) end`;

/** Plans the next read, unless this lease is superseded or a notice has set another time. */
async function planFor(table: Table, { merchantId, id, fencingToken, attempts, nextAttemptAt }: Row<Table>, next: SQL): Promise<void> {
  await db().execute(sql`
    update ${table} set attempts = ${attempts + 1}, next_attempt_at = ${next}
    where merchant_id = ${merchantId} and id = ${id} and fencing_token = ${fencingToken}
      and next_attempt_at = ${nextAttemptAt?.toISOString() ?? null}::text::timestamptz`);
}

/** When a hint makes a row due: at once, but no sooner after the last read than notices may cause. */
export const DUE_BY_HINT = sql`greatest(now(), later(leased_at, ${MIN_BETWEEN_READS_MS}))`;
