import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/** How long to wait after the first, the second, … failed attempt. */
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Never earlier than the table says, and up to this share later, so that what failed together does not come back together. */
const JITTER = 0.2;
/** An endpoint may ask for more time than the table gives, up to this. */
const MAX_WAIT_MS = 24 * HOUR_MS;

/** Milliseconds until the next attempt, when `tries` have failed; undefined after the last one. */
export function nextWaitMs(tries: number, retryAfterMs = 0, random = Math.random()): number | undefined {
  const wait = WAITS_MS[tries - 1];
  if (wait === undefined) return undefined;
  return Math.round(Math.max(wait * (1 + JITTER * random), Math.min(retryAfterMs, MAX_WAIT_MS)));
}

/** `Retry-After` in milliseconds from now: seconds, or an HTTP date (RFC 9110, 10.2.3). 0 for none, or what is neither. */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  const at = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}
