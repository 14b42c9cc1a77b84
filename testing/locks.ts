import { type Sql, sql } from "#db/client.ts";

// Test files share one server, so the locks of other databases are left out.

/** Returns how many queries of this file's database wait for a lock. */
export async function lockWaiters(query: Sql = sql()): Promise<number> {
  const waiters = await query`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return waiters.length;
}

/** Returns whether a query of this file's database waits for a lock. */
export const isLockAwaited = async (): Promise<boolean> => (await lockWaiters()) > 0;

/** Returns how many sessions of this file's database wait for an advisory lock. */
export async function advisoryWaiters(query: Sql): Promise<number> {
  const waiters = await query`
    select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;
  return waiters.length;
}
