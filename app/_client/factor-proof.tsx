"use client";

import { useState } from "react";
import { type Proof, ProofFields, proofIn } from "#components/security/proof-fields.tsx";
import { Button } from "#components/ui/button.tsx";
import type { Own } from "./flow.tsx";
import { type ProofPurpose, proveByPasskey } from "./prove-by-passkey.ts";

/** The second steps that a person has, one of which proves a change of them. */
export interface Factored extends Own {
  isAppOn: boolean;
  hasPasskeys: boolean;
}

/** What such a proof sends. */
export type FactorProof = Proof | Awaited<ReturnType<typeof proveByPasskey>>;

/**
 * Returns the fields for a proof by a second step of the member, and a function that makes the proof of the typed text. The proof is the password with
 * a code of the app, or a passkey, or the password with a recovery code in place of the passkey.
 */
export function useFactorProof({ merchantId, email, isAppOn, hasPasskeys }: Factored, purpose: ProofPurpose) {
  const mayUsePasskey = hasPasskeys && !isAppOn;
  const [isByPasskey, setByPasskey] = useState(mayUsePasskey);
  const prove = async (typed: (field: string) => string): Promise<FactorProof> =>
    isByPasskey ? proveByPasskey({ merchantId }, purpose) : proofIn(typed);
  const fields = (errors: Record<string, string>) => (
    <div className="flex flex-col gap-4">
      {isByPasskey ? (
        <p className="text-muted">Your device asks for a passkey of yours when you press the button.</p>
      ) : (
        <ProofFields email={email} isAppOn={isAppOn} isCodeDue={isAppOn || hasPasskeys} errors={errors} />
      )}
      {mayUsePasskey && (
        <div>
          <Button onClick={() => setByPasskey(!isByPasskey)}>
            {isByPasskey ? "Use your password and a recovery code" : "Use a passkey instead"}
          </Button>
        </div>
      )}
    </div>
  );
  return { prove, fields };
}
