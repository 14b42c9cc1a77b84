/** Follows the id of a purchase, card operation or payout in the key of its hold. */
export const HOLD_SUFFIX = ":hold";

/** Returns the ledger key of the hold of a purchase, card operation or payout. */
export const holdKeyOf = (id: string) => id + HOLD_SUFFIX;
