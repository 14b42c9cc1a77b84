import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

const WAITS_MS = [30 * SECOND_MS, ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE_MS)];

/** Returns how long to wait until an undecided order is read next, after `attempts` reads. Wait 0 follows the claim: nothing reads before it. */
export const waitAfterMs = (attempts: number): number => WAITS_MS[attempts] ?? HOUR_MS;
