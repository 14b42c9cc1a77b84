"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { type KeyOwner, useKeyProof } from "../../key-proof.tsx";
import type { KeyToChange } from "./key-to-change.ts";

type Resume = typeof import("#app/api/dashboard/api-keys/[id]/resume/route.ts").POST;

interface ResumeKeyProps {
  owner: KeyOwner;
  apiKey: KeyToChange;
}

/** Lets a paused key work again. */
export function ResumeKey({ open, onOpenChange, ...rest }: ResumeKeyProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Flow frame={Dialog} title={`Resume ${rest.apiKey.name}`} open={open} onOpenChange={onOpenChange}>
      {(flow) => <Form {...rest} flow={flow} />}
    </Flow>
  );
}

function Form({ owner, apiKey: { id }, flow }: ResumeKeyProps & { flow: FlowControls }) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const { prove, fields } = useKeyProof(owner);
  const resume = (typed: (field: string) => string) =>
    send({ id }, async ({ idempotencyKey }) => {
      const proof = await prove(typed);
      await call<Resume>({ merchantId: owner.merchantId }, "POST", "/api/dashboard/api-keys/{id}/resume", {
        ...{ params: { id }, body: proof, idempotencyKey },
      });
      flow.close();
      toast({ title: "Key resumed", description: "It works within a second." });
    });
  return (
    <SecurityForm {...work} label="Resume key" pendingLabel="Resuming…" fields={["password", "code"]} onSend={resume}>
      {(errors) => (
        <>
          <p>Requests with this key work again within a second. Resume it only if you know that its secret is on your servers alone.</p>
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}
