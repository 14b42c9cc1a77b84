/** The scope of the Idempotency-Keys under which rows are bought. Requests have a method and a path there, so no request has this one. */
export const SCOPE = "bulk row";

/** Returns the Idempotency-Key of a row: the order and the row. */
export const keyOf = (orderId: string, row: number): string => `${orderId}:${row}`;
