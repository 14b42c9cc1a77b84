import { DAY_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/**
 * The lease of a process that reads a purchase. Within this time it reads the outcome and settles it. Afterwards another process may take
 * the lease.
 */
export const LEASE_MS = 30 * SECOND_MS;

/** The order is sent within this time, counted from before the claim, or never: a process that was paused for longer does not buy. */
export const MAX_CLAIM_TO_CALL_MS = 5 * SECOND_MS;
/** The longest call to an aggregator: more than the timeout of any adapter. */
export const MAX_CALL_MS = 10 * SECOND_MS;

/** A final purchase is read once more: aggregators take purchases back, and their notices get lost. */
export const RECHECK_AFTER_MS = DAY_MS;
/** A purchase that failed because its aggregator did not know it is read again sooner: a paused process may still have sent the order. */
export const RECHECK_LOST_AFTER_MS = MINUTE_MS;
/**
 * After so many reads without a final outcome, a final purchase is read no more, except once at `RECHECK_AFTER_MS` after its completion.
 */
export const MAX_RECHECK_ATTEMPTS = 10;
/** The shortest time between two reads that notices cause. It is longer than a read, so that notices cannot supersede every read. */
export const MIN_BETWEEN_READS_MS = MAX_CALL_MS + SECOND_MS;
/** How often a final purchase may change. Later changes move no money and are left to an operator. */
export const MAX_CORRECTIONS = 4;

/** The same purchase within this time counts as a double click. */
export const DUPLICATE_WITHIN_MS = 30 * SECOND_MS;

/** How often an aggregator's list is read. */
export const SYNC_EVERY_MS = 10 * MINUTE_MS;
/** When a list that could not be read or stored is read again. */
export const RETRY_SYNC_AFTER_MS = 30 * SECOND_MS;
