import { DAY_MS, HOUR_MS } from "#lib/time.ts";

/** A session ends after this time without a request. */
export const MAX_IDLE_MS = 12 * HOUR_MS;
/** A session ends this long after signing in, however much it is used. */
export const MAX_AGE_MS = 14 * DAY_MS;
