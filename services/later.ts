import { invalid } from "#lib/problem.ts";
import { DAY_MS } from "#lib/time.ts";

const MAX_AHEAD_MS = 366 * DAY_MS;

/** Throws VALIDATION_ERROR for a time that is over, or more than a year ahead, at which a price cannot begin. */
export function requireLater(from: Date): void {
  const aheadMs = from.getTime() - Date.now();
  // Not `aheadMs < 0`: that is false for an invalid date.
  if (!(aheadMs > 0 && aheadMs <= MAX_AHEAD_MS))
    throw invalid("from", "Choose a time after now, at most a year ahead, like 2026-12-01T08:00+01:00.");
}
