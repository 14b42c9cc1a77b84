"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, type Own, useSending } from "#app/_client/flow.tsx";
import { CodeOrRecoveryField, PasswordField } from "#components/security/proof-fields.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";

type TurnOff = typeof import("#app/api/dashboard/two-factor/turn-off/route.ts").POST;

interface TurnOffAppProps {
  own: Own;
  hasPasskeys: boolean;
}

/** Turns the authenticator app off. */
export function TurnOffApp({ own, hasPasskeys }: TurnOffAppProps) {
  return (
    <Flow
      frame={Dialog}
      title="Turn the authenticator app off?"
      description={
        hasPasskeys
          ? "No code of the app will be asked for. Your passkeys and recovery codes keep working."
          : "Your password alone will sign in, and your recovery codes stop working."
      }
      trigger="Turn off"
    >
      {(flow) => <Question own={own} flow={flow} />}
    </Flow>
  );
}

function Question({ own: { merchantId, email }, flow }: { own: Own; flow: FlowControls }) {
  const { work, send } = useSending(flow);
  const toast = useToast();
  const turnOff = (password: string, code: string) =>
    send({ password, code }, async (sent) => {
      await call<TurnOff>({ merchantId }, "POST", "/api/dashboard/two-factor/turn-off", sent);
      flow.close();
      toast({ title: "Authenticator app turned off" });
    });
  return (
    <SecurityForm
      {...work}
      label="Turn off"
      pendingLabel="Turning off…"
      isDangerous
      fields={["password", "code"]}
      onSend={(typed) => turnOff(typed("password"), typed("code"))}
    >
      {(errors) => (
        <>
          <PasswordField email={email} error={errors.password} />
          <CodeOrRecoveryField isAppOn error={errors.code} />
        </>
      )}
    </SecurityForm>
  );
}
