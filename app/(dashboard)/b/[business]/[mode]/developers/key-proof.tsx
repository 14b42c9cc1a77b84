"use client";

import { type Prover, useProof } from "#app/_client/proof.tsx";

/** The person who manages keys, and how the person proves it. Test mode's keys need no proof. */
export interface KeyOwner extends Prover {
  mode: "test" | "live";
}

/** Returns the fields of a proof, and a function that makes it of what was typed. */
export function useKeyProof({ mode, ...prover }: KeyOwner) {
  const { prove, fields } = useProof(prover, "manage_keys");
  return {
    prove: async (password: string) => (mode === "test" ? {} : prove(password)),
    fields: (error: string | undefined) => (mode === "live" ? fields(error) : null),
  };
}
