import { DAY_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/** How long a new account waits in live mode until money may be paid to it, and rules that allow more until they begin. */
export const WAIT_MS = DAY_MS;
/** How long a request for a second person's decision is open. */
export const REQUEST_LASTS_MS = 7 * DAY_MS;

/** The lease of a process that reads a payout. Within this time it reads the outcome and settles it. Afterwards another process may take the lease. */
export const LEASE_MS = 30 * SECOND_MS;
/** The bank is asked within this time, counted from before the claim, or never: a process that was paused for longer does not pay. */
export const MAX_CLAIM_TO_CALL_MS = 5 * SECOND_MS;
/** An order to a bank is on its way within this time from the begin of the call, or never: an adapter may make two calls. */
export const MAX_CALL_MS = 20 * SECOND_MS;

/** A final payout is read once more: banks send money back, and their notices get lost. */
export const RECHECK_AFTER_MS = DAY_MS;
/** A payout that failed because its bank did not know it is read again sooner: a paused process may still have sent the order. */
export const RECHECK_LOST_AFTER_MS = MINUTE_MS;
/** After so many reads without a final outcome, a final payout is read no more, except once at `RECHECK_AFTER_MS` after its end. */
export const MAX_RECHECK_ATTEMPTS = 10;
/** The shortest time between two reads that notices cause. It is longer than a read, so that notices cannot supersede every read. */
export const MIN_BETWEEN_READS_MS = MAX_CALL_MS + SECOND_MS;
