"use client";

import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, type Own, useSending } from "#app/_client/flow.tsx";
import { PasswordField } from "#components/security/proof-fields.tsx";
import { LostRecoveryCodes, RecoveryCodes } from "#components/security/recovery-codes.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { type TotpSecretView, TotpSetup } from "#components/security/totp-setup.tsx";
import { Sheet } from "#components/ui/sheet.tsx";

type Begin = typeof import("#app/api/dashboard/two-factor/totp/route.ts").POST;
type Confirm = typeof import("#app/api/dashboard/two-factor/totp/confirm/route.ts").POST;
type Step = { name: "password" } | { name: "app"; totp: TotpSecretView } | { name: "codes"; codes: string[] | null };

const DONE = "Two-step sign-in is on.";

interface TurnOnAppProps {
  own: Own;
  /** The person has recovery codes already, because of a passkey. */
  hasCodes: boolean;
}

/** Turns the authenticator app on: the password, the secret with the first code, the recovery codes. */
export function TurnOnApp(props: TurnOnAppProps) {
  return (
    <Flow frame={Sheet} title="Turn on two-step sign-in" trigger="Turn on" triggerVariant="primary">
      {(flow) => <Steps {...props} flow={flow} />}
    </Flow>
  );
}

function Steps({ own: { merchantId, email }, hasCodes, flow }: TurnOnAppProps & { flow: FlowControls }) {
  const [step, setStep] = useState<Step>({ name: "password" });
  const { work, send } = useSending(flow);
  const begin = (password: string) =>
    send({ password }, async (sent) => {
      const { data } = await call<Begin>({ merchantId }, "POST", "/api/dashboard/two-factor/totp", sent);
      setStep({ name: "app", totp: data });
    });
  const confirm = (code: string) =>
    send({ code }, async (sent) => {
      const { data } = await call<Confirm>({ merchantId }, "POST", "/api/dashboard/two-factor/totp/confirm", sent);
      if (data.recovery_codes) flow.showsSecret();
      setStep({ name: "codes", codes: data.recovery_codes });
    });
  if (step.name === "app") return <TotpSetup {...work} totp={step.totp} onSend={confirm} />;
  if (step.name === "codes") {
    return step.codes ? (
      <RecoveryCodes codes={step.codes} done={DONE} replacesOld={hasCodes} onKept={flow.close} />
    ) : (
      <LostRecoveryCodes done={DONE} onClose={flow.close} />
    );
  }
  return (
    <SecurityForm {...work} label="Continue" pendingLabel="Checking…" fields={["password"]} onSend={(typed) => begin(typed("password"))}>
      {(errors) => (
        <>
          <p className="text-muted">You need an authenticator app on your phone, such as Google Authenticator, Aegis or 1Password.</p>
          <PasswordField email={email} error={errors.password} />
        </>
      )}
    </SecurityForm>
  );
}
