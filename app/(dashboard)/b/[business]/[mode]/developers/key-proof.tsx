"use client";

import { type Prover, useProof } from "#app/_client/proof.tsx";
import { CodeOrRecoveryField } from "#components/security/proof-fields.tsx";

/** The person who manages keys, and how the person proves it. Test mode's keys need no proof. */
export interface KeyOwner extends Prover {
  mode: "test" | "live";
}

/**
 * Returns the fields of a proof, and a function that makes the proof of the typed text. A key that may take money out needs a code beside the password, whose
 * field the server's refusal brings.
 */
export function useKeyProof({ mode, ...prover }: KeyOwner) {
  const { prove, fields } = useProof(prover, "manage_keys");
  const proofOf = async (typed: (field: string) => string) => {
    const [proof, code] = [await prove(typed("password")), typed("code")];
    return "password" in proof && code !== "" ? { ...proof, code } : proof;
  };
  return {
    prove: async (typed: (field: string) => string) => (mode === "test" ? {} : proofOf(typed)),
    fields: ({ password, code }: Record<string, string>) =>
      mode === "live" && (
        <div className="flex flex-col gap-4">
          {fields(password)}
          {code && <CodeOrRecoveryField isAppOn error={code} />}
        </div>
      ),
  };
}
