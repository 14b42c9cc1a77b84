"use client";

import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, type Own, useSending } from "#app/_client/flow.tsx";
import { CodeOrRecoveryField, PasswordField } from "#components/security/proof-fields.tsx";
import { LostRecoveryCodes, RecoveryCodes } from "#components/security/recovery-codes.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Sheet } from "#components/ui/sheet.tsx";

type Renew = typeof import("#app/api/dashboard/two-factor/recovery-codes/route.ts").POST;

const DONE = "New recovery codes are made.";

interface RenewCodesProps {
  own: Own;
  isAppOn: boolean;
}

/** Makes ten new recovery codes in place of the old ones. */
export function RenewCodes(props: RenewCodesProps) {
  return (
    <Flow
      frame={Sheet}
      title="Make new recovery codes"
      description="You get ten new codes. All earlier ones stop working."
      trigger="Make new codes"
    >
      {(flow) => <Steps {...props} flow={flow} />}
    </Flow>
  );
}

function Steps({ own: { merchantId, email }, isAppOn, flow }: RenewCodesProps & { flow: FlowControls }) {
  /** Null: made, and lost on the way here. */
  const [codes, setCodes] = useState<string[] | null>();
  const { work, send } = useSending(flow);
  const renew = (password: string, code: string) =>
    send({ password, code }, async (sent) => {
      const { data } = await call<Renew>({ merchantId }, "POST", "/api/dashboard/two-factor/recovery-codes", sent);
      if (data.recovery_codes) flow.showsSecret();
      setCodes(data.recovery_codes);
    });
  if (codes) return <RecoveryCodes codes={codes} done={DONE} replacesOld onKept={flow.close} />;
  if (codes === null) return <LostRecoveryCodes done={DONE} onClose={flow.close} />;
  return (
    <SecurityForm
      {...work}
      label="Make new codes"
      pendingLabel="Checking…"
      fields={["password", "code"]}
      onSend={(typed) => renew(typed("password"), typed("code"))}
    >
      {(errors) => (
        <>
          <PasswordField email={email} error={errors.password} />
          <CodeOrRecoveryField isAppOn={isAppOn} error={errors.code} />
        </>
      )}
    </SecurityForm>
  );
}
