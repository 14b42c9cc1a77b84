"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { type Prover, useProof } from "#app/_client/proof.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { MemberToChange, Opened } from "./member-to-change.ts";

type Hand = typeof import("#app/api/dashboard/members/[id]/hand-over/route.ts").POST;

interface HandOverProps {
  prover: Prover;
  member: MemberToChange;
}

export function HandOver({ open, onOpenChange, ...props }: HandOverProps & Opened) {
  return (
    <Flow frame={Dialog} title={`Hand the business over to ${props.member.name}`} open={open} onOpenChange={onOpenChange}>
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

function Form({ prover, member: { id, name }, flow }: HandOverProps & { flow: FlowControls }) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const { prove, fields } = useProof(prover, "manage_team");
  const hand = (typed: (field: string) => string) =>
    send({ id }, async ({ idempotencyKey }) => {
      const proof = await prove(typed("password"));
      await call<Hand>({ merchantId: prover.merchantId }, "POST", "/api/dashboard/members/{id}/hand-over", {
        ...{ params: { id }, body: proof, idempotencyKey },
      });
      flow.close();
      toast({ title: `${name} is an owner now`, description: "You are an admin." });
    });
  return (
    <SecurityForm {...work} isDangerous label="Hand over" pendingLabel="Handing over…" fields={["password"]} onSend={hand}>
      {(errors) => (
        <>
          <p>
            {name} becomes an owner and may do everything. You become an admin: you cannot take it back yourself, and an owner may remove
            you.
          </p>
          <p>To stay an owner beside {name}, change the role instead.</p>
          {fields(errors.password)}
        </>
      )}
    </SecurityForm>
  );
}
