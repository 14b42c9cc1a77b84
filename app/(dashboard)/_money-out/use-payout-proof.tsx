"use client";

import { type Factored, type FactorProof, useFactorProof } from "#app/_client/factor-proof.tsx";
import type { ProofPurpose } from "#app/_client/prove-by-passkey.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";

/** The person who takes money out, and the second steps that the person has. Test mode asks for none. */
export interface PayoutOwner extends Factored {
  mode: "test" | "live";
  securityHref: string;
}

/** The fields of a proof, for forms that show problems at their fields. */
export const PROOF_FIELDS = ["password", "code"] as const;

/** Returns whether a person must set up a second step before anything is paid out. */
export const lacksFactor = ({ mode, isAppOn, hasPasskeys }: PayoutOwner): boolean => mode === "live" && !isAppOn && !hasPasskeys;

/** Returns the fields of a proof, and a function that makes the proof of the typed text. */
export function usePayoutProof(owner: PayoutOwner, purpose: ProofPurpose) {
  const { prove, fields } = useFactorProof(owner, purpose);
  const isAsked = owner.mode === "live";
  return {
    prove: async (typed: (field: string) => string): Promise<Partial<FactorProof>> => (isAsked ? prove(typed) : {}),
    fields: (errors: Record<string, string>) => (isAsked ? fields(errors) : null),
  };
}

/** Replaces a form for a person without a second step. */
export function FactorFirst({ securityHref }: Pick<PayoutOwner, "securityHref">) {
  return (
    <>
      <Notice tone="warning" title="Turn two-step sign-in on first">
        Money leaves Oja only with a second step beside your password: an app with codes, or a passkey. For your safety, payouts begin 24
        hours after you have turned it on.
      </Notice>
      <OverlayActions>
        <OverlayClose>Later</OverlayClose>
        <ButtonLink variant="primary" href={securityHref}>
          Turn it on
        </ButtonLink>
      </OverlayActions>
    </>
  );
}
