/** The scope of the Idempotency-Keys under which rows are bought. The scope of a request is its method and path, which differs. */
export const SCOPE = "bulk row";

/** Returns the Idempotency-Key of a row: the order and the row. */
export const keyOf = (orderId: string, row: number): string => `${orderId}:${row}`;
