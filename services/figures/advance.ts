import { sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { figuresWithin, lastEntryDayWithin, lastEventDayWithin, spanOf } from "./rows.ts";

/** Rows of one step: few enough that its transaction takes well under a second, and enough that a backlog ends soon. */
const MAX_PER_TRANSACTION = 2_000;

interface Advance {
  /** Entries and events. */
  counted: number;
  hasMore: boolean;
}

/**
 * Counts the next entries and events of a merchant and moves its cursor, in one transaction under the cursor's lock. Returns `undefined`
 * where another process has the lock: that process counts them. With `waits`, waits for the lock instead.
 */
export async function advance(merchantId: string, { waits }: { waits: boolean }): Promise<Advance | undefined> {
  return transaction(async (tx) => {
    if (!(await lockCursor(tx, merchantId, { waits }))) return undefined;
    return count(tx, merchantId);
  });
}

/** Locks a merchant's cursor until the transaction ends. Returns false where another process has the lock, or there is no such merchant. */
export async function lockCursor(tx: Tx, merchantId: string, { waits }: { waits: boolean }): Promise<boolean> {
  await tx.execute(sql`
    insert into figure_cursors (merchant_id) select merchant_id from event_counters where merchant_id = ${merchantId}
      and not exists (select from figure_cursors where merchant_id = ${merchantId})
    on conflict do nothing`);
  const locked = await tx.execute(sql`
    select 1 from figure_cursors where merchant_id = ${merchantId} for update ${sql.raw(waits ? "" : "skip locked")}`);
  return locked.length > 0;
}

/** The caller has the lock. The statement begins after the lock is taken, so its snapshot contains all that the previous holder counted. */
async function count(tx: Tx, merchantId: string): Promise<Advance> {
  const [row] = await tx.execute<{ counted: bigint; has_more: boolean }>(sql`
    with span as materialized (${spanOf(merchantId, MAX_PER_TRANSACTION)}),
    added as (
      insert into daily_figures as f (merchant_id, day, source, type, count, kobo)
      select ${merchantId}, day, source, type, count, kobo from (${figuresWithin(merchantId, MAX_PER_TRANSACTION)}) figures
      on conflict (merchant_id, day, source, type) do update set count = f.count + excluded.count, kobo = f.kobo + excluded.kobo
    ),
    moved as (
      update figure_cursors set wallet_seq = span.entries_to, event_sequence = span.events_to,
        wallet_day = greatest(figure_cursors.wallet_day, ${lastEntryDayWithin(merchantId)}),
        event_day = greatest(figure_cursors.event_day, ${lastEventDayWithin(merchantId)})
      from span where merchant_id = ${merchantId}
    )
    select entries_to - entries_after + events_to - events_after as counted, has_more from span`);
  if (!row) throw new Error(`the span of ${merchantId} has no row`);
  return { counted: Number(row.counted), hasMore: row.has_more };
}
