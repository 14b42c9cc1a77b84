import { sql } from "#db/client.ts";

/** Resolves when the database answers; throws what it says otherwise. */
export async function checkDatabase(): Promise<void> {
  await sql()`select 1`;
}
