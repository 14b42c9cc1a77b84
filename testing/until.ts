import { setTimeout as wait } from "node:timers/promises";

/**
 * Waits until `look` finds something, and returns it. Throws when it has not within `withinMs`. It ends as soon as it may, so a long
 * limit costs time only in a test that fails. The clock is monotonic: somebody may set the wall clock meanwhile.
 */
export async function until<T>(look: () => Promise<T | undefined | false | null>, withinMs = 30_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for: ${look}`);
    await wait(25);
  }
}

/** `make` called `count` times, at once. */
export const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T>[] => Array.from({ length: count }, (_, i) => make(i));
