import type { walletSeals } from "#db/schema/seals.ts";

/** The signed head of a wallet's history: what the history was when it was sealed. */
export type Seal = typeof walletSeals.$inferSelect;

/** What is known of the history at some entry. */
export type Head = Pick<Seal, "seq" | "count" | "hash">;
