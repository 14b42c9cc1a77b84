"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { type Prover, useProof } from "#app/_client/proof.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { MemberToChange, Opened } from "./member-to-change.ts";

type Remove = typeof import("#app/api/dashboard/members/[id]/remove/route.ts").POST;

interface RemoveMemberProps {
  prover: Prover;
  member: MemberToChange;
  teamHref: string;
}

export function RemoveMember({ open, onOpenChange, ...props }: RemoveMemberProps & Opened) {
  return (
    <Flow frame={Dialog} title={`Remove ${props.member.name}`} open={open} onOpenChange={onOpenChange}>
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

function Form({ prover, member: { id, name }, teamHref, flow }: RemoveMemberProps & { flow: FlowControls }) {
  const router = useRouter();
  const toast = useToast();
  const { work, send } = useSending(flow);
  const { prove, fields } = useProof(prover, "manage_team");
  const remove = (typed: (field: string) => string) =>
    send({ id }, async ({ idempotencyKey }) => {
      const proof = await prove(typed("password"));
      await call<Remove>({ merchantId: prover.merchantId }, "POST", "/api/dashboard/members/{id}/remove", {
        ...{ params: { id }, body: proof, idempotencyKey },
      });
      toast({ title: `${name} is removed`, description: "The person is refused within a second." });
      router.replace(teamHref);
      router.refresh();
    });
  return (
    <SecurityForm {...work} isDangerous label="Remove member" pendingLabel="Removing…" fields={["password"]} onSend={remove}>
      {(errors) => (
        <>
          <p>
            {name} sees and does nothing here any more, within a second. API keys that {name} made go on working: revoke those that {name}{" "}
            may have kept.
          </p>
          <p>To take the person back, send an invitation.</p>
          {fields(errors.password)}
        </>
      )}
    </SecurityForm>
  );
}
