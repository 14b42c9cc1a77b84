import pMap from "p-map";

const MAX_AT_ONCE = 10;

/** Calls `run` for each item, ten at once, so that a call that hangs does not delay the others. Rejects with the first error. */
export async function forEachAtOnce<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  await pMap(items, run, { concurrency: MAX_AT_ONCE });
}
