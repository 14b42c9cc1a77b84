import { setTimeout as wait } from "node:timers/promises";

/**
 * Calls `look` until it returns a value that is not undefined, false or null, and returns that value. Throws after `withinMs`. A long
 * timeout delays only a test that fails. The clock is monotonic, because the wall clock may be set during a test.
 */
export async function until<T>(look: () => Promise<T | undefined | false | null>, withinMs = 60_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 250)) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms without success for: ${look}`);
    await wait(pause);
  }
}

/** Calls `make` `count` times at once. Returns the promises. */
export const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T>[] => Array.from({ length: count }, (_, i) => make(i));
