import { sql } from "#db/client.ts";

/** A look holds for this long: whoever asks for our health, and how often, costs the database one query a second. */
const FRESH_FOR_MS = 1_000;

let last: { atMs: number; answer: Promise<unknown> } | undefined;

/** Resolves when the database answers, or has within the last second; throws what it says otherwise. */
export async function checkDatabase(): Promise<void> {
  if (!last || performance.now() - last.atMs > FRESH_FOR_MS) last = { atMs: performance.now(), answer: sql()`select 1` };
  await last.answer;
}
