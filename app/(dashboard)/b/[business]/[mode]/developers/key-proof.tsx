"use client";

import { useState } from "react";
import type { Own } from "#app/_client/flow.tsx";
import { proveByPasskey } from "#app/_client/prove-by-passkey.ts";
import { PasswordField } from "#components/security/proof-fields.tsx";
import { Button } from "#components/ui/button.tsx";

/** The person who manages keys, and how the person proves it. Test mode's keys need no proof. */
export interface KeyOwner extends Own {
  mode: "test" | "live";
  hasPasskey: boolean;
}

/** Returns the fields of a proof, and a function that makes it of what was typed. */
export function useKeyProof({ merchantId, email, mode, hasPasskey }: KeyOwner) {
  const [isByPasskey, setByPasskey] = useState(hasPasskey);
  const prove = async (password: string) => {
    if (mode === "test") return {};
    return isByPasskey ? proveByPasskey({ merchantId }, "manage_keys") : { password };
  };
  const fields = (error: string | undefined) =>
    mode === "live" && (
      <div className="flex flex-col gap-2">
        {isByPasskey ? (
          <p className="text-muted">Your device asks for your passkey when you press the button.</p>
        ) : (
          <PasswordField email={email} error={error} />
        )}
        {hasPasskey && (
          <div>
            <Button onClick={() => setByPasskey(!isByPasskey)}>
              {isByPasskey ? "Use your password instead" : "Use a passkey instead"}
            </Button>
          </div>
        )}
      </div>
    );
  return { prove, fields };
}
