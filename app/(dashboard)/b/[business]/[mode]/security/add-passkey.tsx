"use client";

import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { type FactorProof, useFactorProof } from "#app/_client/factor-proof.tsx";
import { Flow, type FlowControls, type Own, useSending } from "#app/_client/flow.tsx";
import { makePasskey } from "#app/_client/make-passkey.ts";
import { NameField } from "#components/security/name-field.tsx";
import { LostRecoveryCodes, RecoveryCodes } from "#components/security/recovery-codes.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { StepLead } from "#components/security/step-lead.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { MailedCodeSteps } from "./mailed-code-steps.tsx";

type Begin = typeof import("#app/api/dashboard/passkeys/options/route.ts").POST;
type Add = typeof import("#app/api/dashboard/passkeys/route.ts").POST;
type Made = Awaited<ReturnType<typeof makePasskey>>;
type Step = { name: "proof" } | { name: "name"; made: Made } | { name: "codes"; codes: string[] | null };

const DONE = "The passkey is added.";

interface AddPasskeyProps {
  own: Own;
  /** The name of this browser, to begin with. */
  browser: string;
  /** A person without recovery codes gets ten with the passkey. */
  hasCodes: boolean;
  isAppOn: boolean;
  hasPasskeys: boolean;
}

const ASKS = "the browser asks for your fingerprint, your face or your screen lock.";

/** Adds a passkey: a proof, the browser's question, a name, and recovery codes for a person who has none. */
export function AddPasskey(props: AddPasskeyProps) {
  return (
    <Flow frame={Sheet} title="Add a passkey" trigger="Add passkey">
      {(flow) => <Steps {...props} flow={flow} />}
    </Flow>
  );
}

function Steps({ own, browser, hasCodes, isAppOn, hasPasskeys, flow }: AddPasskeyProps & { flow: FlowControls }) {
  const { merchantId } = own;
  const [step, setStep] = useState<Step>({ name: "proof" });
  const { work, send } = useSending(flow);
  const toast = useToast();
  const { prove, fields } = useFactorProof({ ...own, isAppOn, hasPasskeys }, "add_passkey");
  const begin = (proof: () => Promise<FactorProof>) =>
    send({}, async ({ idempotencyKey }) => {
      const { data } = await call<Begin>({ merchantId }, "POST", "/api/dashboard/passkeys/options", {
        body: await proof(),
        idempotencyKey,
      });
      setStep({ name: "name", made: await makePasskey(data) });
    });
  const add = (made: Made, name: string) =>
    send({ name, response: made }, async (sent) => {
      const { data } = await call<Add>({ merchantId }, "POST", "/api/dashboard/passkeys", sent);
      if (data.recovery_codes) flow.showsSecret();
      if (data.recovery_codes || !hasCodes) return setStep({ name: "codes", codes: data.recovery_codes });
      flow.close();
      toast({ title: "Passkey added" });
    });
  if (step.name === "codes") {
    return step.codes ? (
      <RecoveryCodes codes={step.codes} done={DONE} replacesOld={false} onKept={flow.close} />
    ) : (
      <LostRecoveryCodes done={DONE} onClose={flow.close} />
    );
  }
  if (step.name === "name") {
    return (
      <SecurityForm
        {...work}
        key="name"
        label="Add passkey"
        pendingLabel="Adding…"
        fields={["name"]}
        onSend={(typed) => add(step.made, typed("name"))}
      >
        {(errors) => (
          <>
            <StepLead title="Name your passkey">Your device has made it. It works as soon as you have added it here.</StepLead>
            <NameField name={browser} error={errors.name} />
          </>
        )}
      </SecurityForm>
    );
  }
  if (!isAppOn && !hasPasskeys) {
    return (
      <MailedCodeSteps
        own={own}
        work={work}
        send={send}
        lead={`Afterwards ${ASKS}`}
        pendingLabel="Waiting for your device…"
        onProof={(proof) => begin(async () => proof)}
      />
    );
  }
  return (
    <SecurityForm
      {...work}
      label="Continue"
      pendingLabel="Waiting for your device…"
      fields={["password", "code"]}
      onSend={(typed) => begin(() => prove(typed))}
    >
      {(errors) => (
        <>
          <p className="text-muted">Next, {ASKS}</p>
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}
