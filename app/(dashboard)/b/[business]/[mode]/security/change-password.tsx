"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, type Own, useSending } from "#app/_client/flow.tsx";
import { Panel, Row, Rows } from "#components/security/panel.tsx";
import { ProofFields, proofIn } from "#components/security/proof-fields.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Field } from "#components/ui/field.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Change = typeof import("#app/api/dashboard/password/route.ts").POST;

interface ChangePasswordProps {
  own: Own;
  isAppOn: boolean;
}

/** The person's password, with a way to change it. */
export function ChangePassword(props: ChangePasswordProps) {
  return (
    <Panel id="own-password" title="Password">
      <Rows>
        <Row
          title="Your password"
          fact="Changing it signs out every other browser."
          actions={
            <Flow
              frame={Sheet}
              title="Change your password"
              description="Every other browser is signed out, and you get a mail about it."
              trigger="Change password"
            >
              {(flow) => <Form {...props} flow={flow} />}
            </Flow>
          }
        />
      </Rows>
    </Panel>
  );
}

function Form({ own: { merchantId, email }, isAppOn, flow }: ChangePasswordProps & { flow: FlowControls }) {
  const { work, send } = useSending(flow);
  const toast = useToast();
  const change = (typed: (field: string) => string) =>
    send({ ...proofIn(typed), new_password: typed("new_password") }, async (sent) => {
      await call<Change>({ merchantId }, "POST", "/api/dashboard/password", sent);
      flow.close();
      toast({ title: "Password changed", description: "Every other browser is signed out." });
    });
  return (
    <SecurityForm {...work} label="Change password" pendingLabel="Changing…" fields={["password", "code", "new_password"]} onSend={change}>
      {(errors) => (
        <>
          <ProofFields email={email} isAppOn={isAppOn} errors={errors} />
          <Field
            label="New password"
            name="new_password"
            error={errors.new_password}
            hint="At least 12 characters. A few words in a row are easy to remember."
          >
            {(wiring) => <PasswordInput {...wiring} autoComplete="new-password" maxLength={128} />}
          </Field>
        </>
      )}
    </SecurityForm>
  );
}
