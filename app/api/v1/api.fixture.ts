import type { apiClient } from "#testing/api.ts";

/** A merchant's client of the API, which checks every answer against the contract. */
export type Api = ReturnType<typeof apiClient>;

/** Returns the options of a request with this Idempotency-Key. */
export const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });
