import pLimit from "p-limit";
import { Problem } from "#lib/problem.ts";

const MAX_WAITING = 32;
const RETRY_AFTER_S = 2;

/** The queue of each person for whom something runs, with the number of those in it. */
const queues = new Map<string, { run: ReturnType<typeof pLimit>; size: number }>();

/** Runs `act` after those that this process runs for the same person. Throws RATE_LIMITED when 32 of them wait already. */
export async function oneAtATime<T>(userId: string, act: () => Promise<T>): Promise<T> {
  const queue = queues.get(userId) ?? { run: pLimit(1), size: 0 };
  if (queue.size > MAX_WAITING) {
    throw new Problem("RATE_LIMITED", "Too many requests of yours wait for your password. Wait 2 seconds, then try again.", {
      headers: { "Retry-After": String(RETRY_AFTER_S) },
    });
  }
  queues.set(userId, queue);
  queue.size++;
  try {
    return await queue.run(act);
  } finally {
    queue.size--;
    if (queue.size === 0) queues.delete(userId);
  }
}
