import { DAY_MS } from "#lib/time.ts";

/** How long a new account waits in live mode until money may be paid to it, and rules that allow more until they begin. */
export const WAIT_MS = DAY_MS;

/** How long a request for a second person's decision is open. */
export const REQUEST_LASTS_MS = 7 * DAY_MS;
