import { sql } from "#db/client.ts";
import type { Context } from "../context.ts";

/** One answer of the database is used for this long, so that health checks cost it at most one query a second per process. */
const FRESH_FOR_MS = 1_000;

let last: { atMs: number; answer: Promise<unknown> } | undefined;

/** Asks the database, or uses its answer of the last second. Throws the database's error. */
export async function checkDatabase(_ctx: Context): Promise<void> {
  if (!last || performance.now() - last.atMs > FRESH_FOR_MS) last = { atMs: performance.now(), answer: sql()`select 1` };
  await last.answer;
}
