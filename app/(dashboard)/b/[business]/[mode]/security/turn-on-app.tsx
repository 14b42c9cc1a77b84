"use client";

import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { type FactorProof, useFactorProof } from "#app/_client/factor-proof.tsx";
import { Flow, type FlowControls, type Own, useSending } from "#app/_client/flow.tsx";
import { LostRecoveryCodes, RecoveryCodes } from "#components/security/recovery-codes.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { type TotpSecretView, TotpSetup } from "#components/security/totp-setup.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { MailedCodeSteps } from "./mailed-code-steps.tsx";

type Begin = typeof import("#app/api/dashboard/two-factor/totp/route.ts").POST;
type Confirm = typeof import("#app/api/dashboard/two-factor/totp/confirm/route.ts").POST;
type Step = { name: "proof" } | { name: "app"; totp: TotpSecretView } | { name: "codes"; codes: string[] | null };

const DONE = "Two-step sign-in is on.";

interface TurnOnAppProps {
  own: Own;
  /** The person has recovery codes already, because of a passkey. */
  hasCodes: boolean;
  /** The person has a second step already, which proves that another one may be added. */
  hasPasskeys: boolean;
}

const NEEDED = "You need an authenticator app on your phone, such as Google Authenticator, Aegis or 1Password.";

/** Turns the authenticator app on: the password, the secret with the first code, the recovery codes. */
export function TurnOnApp(props: TurnOnAppProps) {
  return (
    <Flow frame={Sheet} title="Turn on two-step sign-in" trigger="Turn on" triggerVariant="primary">
      {(flow) => <Steps {...props} flow={flow} />}
    </Flow>
  );
}

function Steps({ own, hasCodes, hasPasskeys, flow }: TurnOnAppProps & { flow: FlowControls }) {
  const [step, setStep] = useState<Step>({ name: "proof" });
  const { merchantId } = own;
  const { work, send } = useSending(flow);
  const { prove, fields } = useFactorProof({ ...own, isAppOn: false, hasPasskeys }, "add_app");
  const begin = (proof: () => Promise<FactorProof>) =>
    send({}, async ({ idempotencyKey }) => {
      const { data } = await call<Begin>({ merchantId }, "POST", "/api/dashboard/two-factor/totp", { body: await proof(), idempotencyKey });
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
  if (!hasPasskeys) {
    return (
      <MailedCodeSteps
        own={own}
        work={work}
        send={send}
        lead={NEEDED}
        pendingLabel="Checking…"
        onProof={(proof) => begin(async () => proof)}
      />
    );
  }
  return (
    <SecurityForm
      {...work}
      label="Continue"
      pendingLabel="Checking…"
      fields={["password", "code"]}
      onSend={(typed) => begin(() => prove(typed))}
    >
      {(errors) => (
        <>
          <p className="text-muted">{NEEDED}</p>
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}
