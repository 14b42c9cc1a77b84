import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/** A process that has claimed something has so long to ask the issuer and settle; then another takes over. Longer than any call. */
export const LEASE_MS = 30 * SECOND_MS;

/** An operation is handed to the issuer within this time, counted from before its claim, or never: a process that slept longer does not ask. */
export const ASKED_WITHIN_MS = 10 * SECOND_MS;
/** A call to an issuer is over by then, one way or the other: longer than the deadline of any adapter. */
export const CALL_WITHIN_MS = 10 * SECOND_MS;

const WAITS_MS = [2, 5, 15, 30].map((s) => s * SECOND_MS).concat([1, 2, 5, 10, 30].map((m) => m * MINUTE_MS));

/** How long until the issuer is asked again, after so many times. */
export const waitAfter = (attempts: number): number => WAITS_MS[attempts] ?? HOUR_MS;

const LOOKS_AGAIN_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS];
/** How long until a lost operation is read from its issuer again, after so many times; null once that is enough. */
export const lookAgainAfter = (looks: number): number | null => LOOKS_AGAIN_MS[looks] ?? null;

/** Spend that no notice told of is found by then. */
export const SYNC_EVERY_MS = DAY_MS;
/** Refunds come to terminated cards for so long. Schemes allow 120 days for most disputes. */
export const SYNC_TERMINATED_FOR_MS = 180 * DAY_MS;
/** Spend that came after the end of a card is passed on by then, or operators are told. */
export const MAX_WAIT_MS = HOUR_MS;
/** Counted from the end of the issuer's own term, so that we never have more than it has. */
export const EXPIRED_AFTER_MS = DAY_MS;
/** An operation is decided by then, or operators are told. */
export const DECIDED_WITHIN_MS = DAY_MS;
