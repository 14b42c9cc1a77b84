import { sql } from "#db/client.ts";
import type { Context } from "../context.ts";

/** An answer of the database is used for this long, so that requests for our health cost it one query a second at most. */
const FRESH_FOR_MS = 1_000;

let last: { atMs: number; answer: Promise<unknown> } | undefined;

/** Resolves when the database answers, or has within the last second; throws what it says otherwise. */
export async function checkDatabase(_ctx: Context): Promise<void> {
  if (!last || performance.now() - last.atMs > FRESH_FOR_MS) last = { atMs: performance.now(), answer: sql()`select 1` };
  await last.answer;
}
