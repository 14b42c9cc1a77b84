"use client";

import { useState } from "react";
import { PasswordField } from "#components/security/proof-fields.tsx";
import { Button } from "#components/ui/button.tsx";
import type { Own } from "./flow.tsx";
import { type ProofPurpose, proveByPasskey } from "./prove-by-passkey.ts";

/** A person who is asked for a password or a passkey before a sensitive action, and whether the person has a passkey. */
export interface Prover extends Own {
  hasPasskey: boolean;
}

/** Returns the fields of a proof, and a function that makes the proof of the typed text. */
export function useProof({ merchantId, email, hasPasskey }: Prover, purpose: ProofPurpose) {
  const [isByPasskey, setByPasskey] = useState(hasPasskey);
  const prove = async (password: string) => (isByPasskey ? proveByPasskey({ merchantId }, purpose) : { password });
  const fields = (error: string | undefined) => (
    <div className="flex flex-col gap-2">
      {isByPasskey ? (
        <p className="text-muted">Your device asks for your passkey when you press the button.</p>
      ) : (
        <PasswordField email={email} error={error} isFirst={false} />
      )}
      {hasPasskey && (
        <div>
          <Button onClick={() => setByPasskey(!isByPasskey)}>{isByPasskey ? "Use your password instead" : "Use a passkey instead"}</Button>
        </div>
      )}
    </div>
  );
  return { prove, fields };
}
