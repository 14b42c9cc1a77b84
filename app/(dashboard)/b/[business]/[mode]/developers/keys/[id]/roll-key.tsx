"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { OverlapField } from "#components/developers/overlap-field.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { LostKey, NewKey } from "../../create-key.tsx";
import { type KeyOwner, useKeyProof } from "../../key-proof.tsx";
import type { KeyToChange } from "./key-to-change.ts";

type Roll = typeof import("#app/api/dashboard/api-keys/[id]/roll/route.ts").POST;

const MAX_OVERLAP_HOURS = 720;

interface RollKeyProps {
  owner: KeyOwner;
  path: string;
  apiKey: KeyToChange;
}

/** Replaces a key by a new one, whose secret is shown once. */
export function RollKey({ open, onOpenChange, ...rest }: RollKeyProps & { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Flow
      frame={Sheet}
      title={`Roll ${rest.apiKey.name}`}
      description="You get a new key with the same name, permissions and addresses. For a while both work, so that you can change over without a pause."
      open={open}
      onOpenChange={onOpenChange}
    >
      {(flow) => <Steps {...rest} flow={flow} />}
    </Flow>
  );
}

function Steps({ owner, path, apiKey: { id }, flow }: RollKeyProps & { flow: FlowControls }) {
  const router = useRouter();
  const [made, setMade] = useState<{ id: string; public_key: string; secret_key?: string | null | undefined }>();
  const { work, send } = useSending(flow);
  const { prove, fields } = useKeyProof(owner);
  const roll = (typed: (field: string) => string) => {
    const body = { overlap_hours: Number(typed("overlap_hours")) };
    send(body, async ({ idempotencyKey }) => {
      const proof = await prove(typed);
      const { data } = await call<Roll>({ merchantId: owner.merchantId }, "POST", "/api/dashboard/api-keys/{id}/roll", {
        ...{ params: { id }, body: { ...body, ...proof }, idempotencyKey },
      });
      if (data.secret_key) flow.showsSecret();
      setMade(data);
    });
  };
  const open = () => {
    flow.close();
    router.push(`${path}/keys/${made?.id}`);
  };
  if (made?.secret_key) return <NewKey made={{ ...made, secret_key: made.secret_key }} mode={owner.mode} onKept={open} />;
  if (made) return <LostKey onClose={open} />;
  return (
    <SecurityForm {...work} label="Roll key" pendingLabel="Rolling…" fields={["overlap_hours", "password", "code"]} onSend={roll}>
      {(errors) => (
        <>
          <OverlapField
            label="The old key works beside the new one for"
            hint="Choose “not at all” if a stranger has the old secret."
            maxHours={MAX_OVERLAP_HOURS}
            error={errors.overlap_hours}
          />
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}
