import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/** A process that has claimed a purchase has so long to ask the aggregator what became of it and to settle it; then another takes over. */
export const LEASE_MS = 30 * SECOND_MS;

/** A purchase is handed to the aggregator within this time, counted from before its claim, or never: a process that slept longer does not buy. */
export const ASKED_WITHIN_MS = 5 * SECOND_MS;
/** A call to an aggregator is over by then, one way or the other: longer than the deadline of any adapter. */
export const CALL_WITHIN_MS = 10 * SECOND_MS;

const WAITS_MS = [30 * SECOND_MS, ...[1, 2, 5, 10, 30].map((minutes) => minutes * MINUTE_MS)];

/** How long until the aggregator is asked again, after so many times. The first wait is also that of a purchase that nobody answered. */
export const waitAfter = (attempts: number): number => WAITS_MS[attempts] ?? HOUR_MS;

/** Aggregators change their word, and their notices are lost: what is final is looked at once more. */
export const LOOKED_AT_AGAIN_AFTER_MS = DAY_MS;
/** A purchase that was given up, because its aggregator did not know of it, is looked at again sooner. */
export const LOST_IS_LOOKED_AT_AFTER_MS = MINUTE_MS;
/** What cannot be read at that second look is given up after so many tries. */
export const MAX_SECOND_LOOKS = 10;
/** Nobody asks about the same purchase more often than this, however often notices come: longer than a reading takes, so that none is overtaken for ever. */
export const MIN_BETWEEN_TURNS_MS = CALL_WITHIN_MS + SECOND_MS;
/** A purchase that is taken back and delivered again and again is left to an operator. */
export const MAX_CORRECTIONS = 4;

/** The same again within this time is taken for a double click. */
export const DUPLICATE_WITHIN_MS = 30 * SECOND_MS;

/** An aggregator's list is read anew this often, and sooner where it could not be read. */
export const SYNC_EVERY_MS = 10 * MINUTE_MS;
export const SYNC_AGAIN_AFTER_MS = 30 * SECOND_MS;
