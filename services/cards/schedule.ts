import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/**
 * How long a process owns the lease of a card, cardholder or operation. Longer than any call to an issuer. Then another process may take
 * the lease.
 */
export const LEASE_MS = 30 * SECOND_MS;

/**
 * The call to the issuer starts within this time, counted from before the operation's claim, or never: a process that slept longer does not
 * call.
 */
export const MAX_CLAIM_TO_CALL_MS = 10 * SECOND_MS;
/** A call to an issuer ends within this time, with or without an answer. Longer than the timeout of any adapter. */
export const MAX_CALL_MS = 10 * SECOND_MS;

const WAITS_MS = [2, 5, 15, 30].map((s) => s * SECOND_MS).concat([1, 2, 5, 10, 30].map((m) => m * MINUTE_MS));

/** Returns the backoff in milliseconds after so many earlier attempts: 2 s at first, an hour in the end. */
export const waitAfterMs = (attempts: number): number => WAITS_MS[attempts] ?? HOUR_MS;

const RECHECK_WAITS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS];
/** Returns the milliseconds until the next re-check of a lost operation, after so many earlier re-checks; null after the last. */
export const recheckAfterMs = (rechecks: number): number | null => RECHECK_WAITS_MS[rechecks] ?? null;

/** The last re-check of a lost operation is over by this time after its claim, if the issuer answers. */
export const MAX_RECHECKS_MS = 2 * DAY_MS;

/** The time between two syncs of a card without a notice: spend whose notice was lost is found within it. */
export const SYNC_EVERY_MS = DAY_MS;
/** The interval between reads of a card's whole list, by the order of the list. Other reads stop at the first page without new rows. */
export const WHOLE_READ_EVERY_MS = { recorded: 7 * DAY_MS, occurred: DAY_MS } as const;
/** For an issuer that lists by the time of spend, each read goes back this far, because most late transactions are not later. */
export const LISTED_LATE_MS = 3 * DAY_MS;
/** How long a terminated card is synced, because refunds may come. Schemes allow 120 days for most disputes. */
export const SYNC_TERMINATED_FOR_MS = 180 * DAY_MS;
/** Operators are alerted if late spend of a terminated card is not passed on to the wallet within this time. */
export const MAX_WAIT_MS = HOUR_MS;
/** How long we keep an authorization's hold after the issuer's term, so that our balance is never above the issuer's. */
export const EXPIRED_AFTER_MS = DAY_MS;
/** Operators are alerted if an operation is not decided within this time. */
export const MAX_UNDECIDED_MS = DAY_MS;
