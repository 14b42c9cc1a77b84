import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/** The waits after the first, the second, … failed attempt. After the seventh failure there is no further attempt. */
const WAITS_MS = [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS];
/** A wait is up to this share longer than the table's, so that mails that failed together are not retried together. */
const MAX_JITTER = 0.2;

/** Returns the milliseconds to wait after `attempts` failed attempts, or undefined after the last one. */
export function nextWaitMs(attempts: number, random = Math.random()): number | undefined {
  const wait = WAITS_MS[attempts - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 + MAX_JITTER * random));
}
