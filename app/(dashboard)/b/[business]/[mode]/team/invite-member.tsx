"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { type Prover, useProof } from "#app/_client/proof.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { RoleField } from "#components/team/role-field.tsx";
import type { RoleName } from "#components/team/role-words.ts";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Invite = typeof import("#app/api/dashboard/invitations/route.ts").POST;

interface InviteMemberProps {
  prover: Prover;
  /** The roles that the reader may give. */
  offered: readonly RoleName[];
}

/** Invites somebody by mail. */
export function InviteMember(props: InviteMemberProps) {
  return (
    <Flow
      frame={Sheet}
      title="Invite member"
      description="The person gets a mail, and joins after signing in with this address. The link works once, for seven days."
      trigger="Invite member"
      triggerVariant="primary"
    >
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

function Form({ prover, offered, flow }: InviteMemberProps & { flow: FlowControls }) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const { prove, fields } = useProof(prover, "manage_team");
  const invite = (typed: (field: string) => string) => {
    const role = offered.find((known) => known === typed("role")) ?? "viewer";
    send({ email: typed("email").trim(), role }, async ({ body, idempotencyKey }) => {
      const proof = await prove(typed("password"));
      const { data } = await call<Invite>({ merchantId: prover.merchantId }, "POST", "/api/dashboard/invitations", {
        body: { ...body, ...proof },
        idempotencyKey,
      });
      flow.close();
      toast({ title: "Invitation sent", description: `To ${data.email}.` });
    });
  };
  return (
    <SecurityForm {...work} label="Send invitation" pendingLabel="Sending…" fields={["email", "role", "password"]} onSend={invite}>
      {(errors) => (
        <>
          <Field label="Email" name="email" error={errors.email}>
            {(wiring) => (
              <Input
                {...wiring}
                type="email"
                autoComplete="off"
                autoCapitalize="none"
                maxLength={254}
                autoFocus
                data-1p-ignore
                data-lpignore="true"
              />
            )}
          </Field>
          <RoleField offered={offered} chosen="viewer" error={errors.role} />
          {fields(errors.password)}
        </>
      )}
    </SecurityForm>
  );
}
