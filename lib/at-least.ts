import { setTimeout as wait } from "node:timers/promises";

/** Waits for work, and at least for `ms`: so that the time of an answer does not tell which work was done. Rejects as soon as the work does. */
export async function atLeast<T>(ms: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.all([work, wait(ms)]);
  return result;
}
