import { sql } from "#db/client.ts";

/**
 * Returns how many rows of a table `run` reads, with those that a filter then drops. The test file's database has one connection
 * (`DATABASE_POOL_SIZE: "1"`), because each connection reports its counts by itself.
 */
export async function rowsRead(table: string, run: () => Promise<unknown>): Promise<number> {
  const before = await rowsReadSoFar(table);
  await run();
  return (await rowsReadSoFar(table)) - before;
}

async function rowsReadSoFar(table: string): Promise<number> {
  await sql()`select pg_stat_force_next_flush()`;
  const [row] = await sql()<{ rows: bigint }[]>`
    select seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_user_tables where relname = ${table} and schemaname = 'public'`;
  return Number(row?.rows ?? 0);
}
