import { setTimeout as wait } from "node:timers/promises";

/** Waits until `look` finds something, and answers it. Throws when it has not within `withinMs`. */
export async function until<T>(look: () => Promise<T | undefined | false | null>, withinMs = 10_000): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for: ${look}`);
    await wait(25);
  }
}

/** `make` called `count` times, at once. */
export const times = <T>(count: number, make: (i: number) => Promise<T>): Promise<T>[] => Array.from({ length: count }, (_, i) => make(i));
