/** Follows the id of a purchase or card operation in the key of its hold. */
export const HOLD_SUFFIX = ":hold";

/** Returns the ledger key of the hold of a purchase or card operation. */
export const holdKeyOf = (id: string) => id + HOLD_SUFFIX;
