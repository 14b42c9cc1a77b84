"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { type Prover, useProof } from "#app/_client/proof.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { RoleField } from "#components/team/role-field.tsx";
import type { RoleName } from "#components/team/role-words.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { MemberToChange, Opened } from "./member-to-change.ts";

type Change = typeof import("#app/api/dashboard/members/[id]/route.ts").PATCH;

interface ChangeRoleProps {
  prover: Prover;
  member: MemberToChange;
  offered: readonly RoleName[];
}

export function ChangeRole({ open, onOpenChange, ...props }: ChangeRoleProps & Opened) {
  return (
    <Flow frame={Dialog} title={`Role of ${props.member.name}`} open={open} onOpenChange={onOpenChange}>
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

function Form({ prover, member: { id, role: from }, offered, flow }: ChangeRoleProps & { flow: FlowControls }) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const { prove, fields } = useProof(prover, "manage_team");
  const change = (typed: (field: string) => string) => {
    const role = offered.find((known) => known === typed("role")) ?? from;
    if (role === from) return flow.close();
    send({ role, from }, async ({ body }) => {
      const proof = await prove(typed("password"));
      await call<Change>({ merchantId: prover.merchantId }, "PATCH", "/api/dashboard/members/{id}", {
        ...{ params: { id }, body: { ...body, ...proof } },
      });
      flow.close();
      toast({ title: "Role changed", description: "It holds within a second." });
    });
  };
  return (
    <SecurityForm {...work} label="Change role" pendingLabel="Saving…" fields={["role", "password"]} onSend={change}>
      {(errors) => (
        <>
          <RoleField offered={offered} chosen={from} error={errors.role} />
          {fields(errors.password)}
        </>
      )}
    </SecurityForm>
  );
}
