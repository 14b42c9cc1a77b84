"use client";

import { call } from "#app/_client/call.ts";
import { useFactorProof } from "#app/_client/factor-proof.tsx";
import { Flow, type FlowControls, type Own, useSending } from "#app/_client/flow.tsx";
import { NameField } from "#components/security/name-field.tsx";
import type { PasskeyView } from "#components/security/passkeys-panel.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Rename = typeof import("#app/api/dashboard/passkeys/[id]/route.ts").PATCH;
type Remove = typeof import("#app/api/dashboard/passkeys/[id]/remove/route.ts").POST;

interface ChangePasskeyProps {
  own: Own;
  passkey: PasskeyView;
}

/** Gives a passkey another name. */
export function RenamePasskey({ own, passkey }: ChangePasskeyProps) {
  return (
    <Flow frame={Dialog} title="Rename passkey" trigger={<Named verb="Rename" name={passkey.name} />}>
      {(flow) => <NewName own={own} passkey={passkey} flow={flow} />}
    </Flow>
  );
}

/** Every row has a button with the same verb. The passkey's name, for screen readers, tells these buttons apart. */
function Named({ verb, name }: { verb: string; name: string }) {
  return (
    <span>
      {verb}
      <span className="sr-only"> {name}</span>
    </span>
  );
}

function NewName({ own: { merchantId }, passkey, flow }: ChangePasskeyProps & { flow: FlowControls }) {
  const { work, send } = useSending(flow);
  const toast = useToast();
  const rename = (name: string) =>
    send({ name }, async ({ body }) => {
      await call<Rename>({ merchantId }, "PATCH", "/api/dashboard/passkeys/{id}", { params: { id: passkey.id }, body });
      flow.close();
      toast({ title: "Passkey renamed" });
    });
  return (
    <SecurityForm {...work} label="Rename" pendingLabel="Saving…" fields={["name"]} onSend={(typed) => rename(typed("name"))}>
      {(errors) => <NameField name={passkey.name} error={errors.name} />}
    </SecurityForm>
  );
}

interface RemovePasskeyProps extends ChangePasskeyProps {
  /** After its removal the password alone is enough to sign in. */
  isLastFactor: boolean;
  isAppOn: boolean;
}

/** Removes a passkey. */
export function RemovePasskey({ own, passkey, isLastFactor, isAppOn }: RemovePasskeyProps) {
  return (
    <Flow
      frame={Dialog}
      title={`Remove “${passkey.name}”?`}
      description={
        isLastFactor
          ? "It will not sign in any more. It is your only second step: your password alone will sign in, and your recovery codes stop working."
          : "It will not sign in any more. Delete it on the device, too: we cannot."
      }
      trigger={<Named verb="Remove" name={passkey.name} />}
    >
      {(flow) => <Question own={own} passkey={passkey} isAppOn={isAppOn} flow={flow} />}
    </Flow>
  );
}

interface QuestionProps extends ChangePasskeyProps {
  isAppOn: boolean;
  flow: FlowControls;
}

function Question({ own, passkey, isAppOn, flow }: QuestionProps) {
  const { merchantId } = own;
  const { work, send } = useSending(flow);
  const { prove, fields } = useFactorProof({ ...own, isAppOn, hasPasskeys: true }, "remove_passkey");
  const toast = useToast();
  const remove = (typed: (field: string) => string) =>
    send({}, async ({ idempotencyKey }) => {
      const body = await prove(typed);
      await call<Remove>({ merchantId }, "POST", "/api/dashboard/passkeys/{id}/remove", {
        params: { id: passkey.id },
        body,
        idempotencyKey,
      });
      flow.close();
      toast({ title: "Passkey removed" });
    });
  return (
    <SecurityForm {...work} label="Remove passkey" pendingLabel="Removing…" isDangerous fields={["password", "code"]} onSend={remove}>
      {fields}
    </SecurityForm>
  );
}
