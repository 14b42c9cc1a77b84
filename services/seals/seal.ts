import type { walletSeals } from "#db/schema/seals.ts";

/** The signed head of a wallet's history at the time of sealing. */
export type Seal = typeof walletSeals.$inferSelect;

/** The state of the history at some entry. */
export type Head = Pick<Seal, "seq" | "count" | "hash">;
