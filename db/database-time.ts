import { sql } from "drizzle-orm";
import type { Database, Tx } from "./client.ts";

/** Returns the time by the database's clock, as text, in the precision of our columns. In a transaction `now()` is the time of its beginning. */
export async function databaseTime(tx: Tx | Database): Promise<string> {
  const [row] = await tx.execute<{ at: string }>(sql`select clock_timestamp()::timestamptz(3)::text as at`);
  if (!row) throw new Error("select now() returned no row");
  return row.at;
}
