"use client";

import { useState } from "react";
import { call } from "#app/_client/call.ts";
import type { Own, useSending } from "#app/_client/flow.tsx";
import { PasswordField } from "#components/security/proof-fields.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { StepLead } from "#components/security/step-lead.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeField } from "#components/ui/code-field.tsx";
import { Field } from "#components/ui/field.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Mail = typeof import("#app/api/dashboard/two-factor/mailed-code/route.ts").POST;

const DIGITS = 8;

interface MailedCodeStepsProps extends ReturnType<typeof useSending> {
  own: Own;
  /** A sentence about what the person needs for the new second step. */
  lead: string;
  pendingLabel: string;
  onProof: (proof: { password: string; code: string }) => void;
}

/** Proves before the first second step who the person is: by password and mailed code. A thief of the password cannot read the mail. */
export function MailedCodeSteps({ own: { merchantId, email }, lead, pendingLabel, onProof, work, send }: MailedCodeStepsProps) {
  const [password, setPassword] = useState<string>();
  const toast = useToast();
  const mail = (given: string, onDone: () => void) =>
    send({ password: given }, async (sent) => {
      await call<Mail>({ merchantId }, "POST", "/api/dashboard/two-factor/mailed-code", sent);
      onDone();
    });
  if (password === undefined) {
    const begin = (typed: (field: string) => string) => mail(typed("password"), () => setPassword(typed("password")));
    return (
      <SecurityForm {...work} key="password" label="Send me a code" pendingLabel="Sending…" fields={["password"]} onSend={begin}>
        {(errors) => (
          <>
            <p className="text-muted">{lead}</p>
            <p className="text-muted">
              First we send a code to <bdi>{email}</bdi>, so that nobody who only knows your password can turn this on.
            </p>
            <PasswordField email={email} error={errors.password} />
          </>
        )}
      </SecurityForm>
    );
  }
  return (
    <SecurityForm
      {...work}
      key="code"
      label="Continue"
      pendingLabel={pendingLabel}
      fields={["code"]}
      onSend={(typed) => onProof({ password, code: typed("code") })}
    >
      {(errors) => (
        <>
          <StepLead title="Type the code of our mail">
            It is on its way to <bdi>{email}</bdi>, and works for 15 minutes.
          </StepLead>
          <Field label="Code" name="code" error={errors.code ?? errors.password} hint={`The ${DIGITS} digits of the newest mail.`}>
            {(wiring) => <CodeField {...wiring} digits={DIGITS} autoFocus />}
          </Field>
          <div>
            <Button onClick={() => mail(password, () => toast({ title: "Another code is on its way" }))}>Send another code</Button>
          </div>
        </>
      )}
    </SecurityForm>
  );
}
