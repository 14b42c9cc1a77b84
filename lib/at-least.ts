import { setTimeout as wait } from "node:timers/promises";

/**
 * Waits for work, and at least for `ms`, so that the time of an answer does not reveal which work was done. A RATE_LIMITED refusal reveals
 * nothing, so it is not delayed. Rejects as soon as the work does.
 */
export async function atLeast<T extends { status: string }>(ms: number, work: Promise<T>): Promise<T> {
  const enough = wait(ms);
  const result = await work;
  if (result.status !== "wait") await enough;
  return result;
}
