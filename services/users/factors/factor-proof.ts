import type { factorProof } from "#db/schema/two-factor.ts";

/** The proof with which a second factor was added. */
export type FactorProof = (typeof factorProof.enumValues)[number];
