import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/** The wait after the first, the second, … failed attempt. */
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
/** A wait is up to this share longer than the table's, so that deliveries that failed together are not retried together. */
const MAX_JITTER = 0.2;
/** `Retry-After` can make a wait longer than the table's, up to this. */
const MAX_WAIT_MS = 24 * HOUR_MS;

/** Returns the milliseconds to wait after `tries` failed attempts, or undefined after the last one. */
export function nextWaitMs(tries: number, retryAfterMs = 0, random = Math.random()): number | undefined {
  const wait = WAITS_MS[tries - 1];
  if (wait === undefined) return undefined;
  return Math.round(Math.max(wait * (1 + MAX_JITTER * random), Math.min(retryAfterMs, MAX_WAIT_MS)));
}

/** Returns the milliseconds that a `Retry-After` (seconds or an HTTP date: RFC 9110, 10.2.3) asks for; 0 if it is absent or invalid. */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  const at = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}
