import pMap from "p-map";

const MAX_AT_ONCE = 10;

/** Runs `run` for each item, ten at once: a provider that hangs over one item delays no other. Rejects with the first error. */
export async function forEachAtOnce<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  await pMap(items, run, { concurrency: MAX_AT_ONCE });
}
