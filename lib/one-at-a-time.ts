import pLimit from "p-limit";
import { outsideSlot } from "./fair-slots.ts";
import { Problem } from "./problem.ts";
import { shared } from "./shared.ts";

/** The number of calls of one key that may wait, for calls that are expensive. */
export const MAX_WAITING = 32;
const RETRY_AFTER_S = 2;

/** The queue of each key for which something runs, with the number of those in it. */
const queues = shared("turns", () => new Map<string, { run: ReturnType<typeof pLimit>; size: number }>());

/**
 * Runs `run` after all earlier calls of this process with the same key have ended, in their order, and waits outside the slot of the request.
 * Returns or throws as `run` does. Throws RATE_LIMITED, and runs nothing, when more than `maxWaiting` wait already.
 */
export async function oneAtATime<T>(key: string, run: () => Promise<T>, maxWaiting = Number.POSITIVE_INFINITY): Promise<T> {
  const queue = queues.get(key) ?? { run: pLimit(1), size: 0 };
  if (queue.size > maxWaiting) {
    throw new Problem("RATE_LIMITED", "Too many requests of yours wait for earlier ones. Wait 2 seconds, then try again.", {
      headers: { "Retry-After": String(RETRY_AFTER_S) },
    });
  }
  queues.set(key, queue);
  queue.size++;
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void queue.run(() => {
    begun.resolve();
    return ended.promise;
  });
  try {
    await outsideSlot(() => begun.promise);
    return await run();
  } finally {
    ended.resolve();
    queue.size--;
    if (queue.size === 0) queues.delete(key);
  }
}
