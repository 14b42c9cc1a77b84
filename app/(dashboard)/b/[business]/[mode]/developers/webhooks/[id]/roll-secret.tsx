"use client";

import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { OverlapField } from "#components/developers/overlap-field.tsx";
import { LostSecret, ShownOnce } from "#components/developers/shown-once.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import type { EndpointToChange } from "./endpoint-to-change.ts";

type Roll = typeof import("#app/api/v1/webhook-endpoints/[id]/roll-secret/route.ts").POST;

const MAX_OVERLAP_HOURS = 168;

interface RollSecretProps {
  merchantId: string;
  mode: "test" | "live";
  endpoint: EndpointToChange;
}

/** Gives an endpoint a new secret, which is shown once. */
export function RollSecret({ open, onOpenChange, ...rest }: RollSecretProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Flow
      frame={Sheet}
      title="Roll the signing secret"
      description="You get a new secret. For a while events are signed with both, so that you can change over without losing any."
      open={open}
      onOpenChange={onOpenChange}
    >
      {(flow) => <Steps {...rest} flow={flow} />}
    </Flow>
  );
}

function Steps({ merchantId, mode, endpoint: { id }, flow }: RollSecretProps & { flow: FlowControls }) {
  /** Null: the secret was made, but the answer with it was lost. */
  const [secret, setSecret] = useState<string | null>();
  const { work, send } = useSending(flow);
  const roll = (overlapHours: number) =>
    send({ overlap_hours: overlapHours }, async (sent) => {
      const { data } = await call<Roll>({ merchantId }, "POST", "/api/v1/webhook-endpoints/{id}/roll-secret", { ...sent, params: { id } });
      if (data.secret) flow.showsSecret();
      setSecret(data.secret ?? null);
    });
  if (secret) {
    return (
      <ShownOnce
        title="Keep the new secret"
        secrets={[{ label: "Signing secret", value: secret }]}
        fileName={`oja-webhook-${mode}-${id}.txt`}
        onKept={flow.close}
      >
        Put it into your server before the old one ends. It is not shown again.
      </ShownOnce>
    );
  }
  if (secret === null) {
    return (
      <LostSecret title="The secret is rolled, but the new one was not shown" onClose={flow.close}>
        The answer with the secret was lost, and a secret is shown only once. Roll it again to get another one.
      </LostSecret>
    );
  }
  return (
    <SecurityForm
      {...work}
      label="Roll secret"
      pendingLabel="Rolling…"
      fields={["overlap_hours"]}
      onSend={(typed) => roll(Number(typed("overlap_hours")))}
    >
      {(errors) => (
        <OverlapField
          label="The old secret signs beside the new one for"
          hint="Choose “not at all” if a stranger has the old secret."
          maxHours={MAX_OVERLAP_HOURS}
          error={errors.overlap_hours}
        />
      )}
    </SecurityForm>
  );
}
