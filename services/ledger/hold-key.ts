/** Follows the id of a purchase, card operation, payout or refund in the key of its hold. */
export const HOLD_SUFFIX = ":hold";

/** Returns the ledger key of the hold of a purchase, card operation, payout or refund. */
export const holdKeyOf = (id: string) => id + HOLD_SUFFIX;
