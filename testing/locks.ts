import type { Sql } from "#db/client.ts";

/** How many sessions of this test file's database wait for an advisory lock. Files share one server, so others' locks are left out. */
export async function advisoryWaiters(sql: Sql): Promise<number> {
  const waiters = await sql`
    select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`;
  return waiters.length;
}
