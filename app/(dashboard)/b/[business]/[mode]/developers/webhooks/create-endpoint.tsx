"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { type EventTypeName, EventTypesField } from "#components/developers/event-types-field.tsx";
import { LostSecret, ShownOnce } from "#components/developers/shown-once.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Sheet } from "#components/ui/sheet.tsx";

type Create = typeof import("#app/api/v1/webhook-endpoints/route.ts").POST;

interface CreateEndpointProps {
  merchantId: string;
  /** The path of the list. */
  path: string;
  mode: "test" | "live";
}

/** Registers an address for events, and shows the secret that verifies them, once. */
export function CreateEndpoint(props: CreateEndpointProps) {
  return (
    <Flow
      frame={Sheet}
      title="Add a webhook endpoint"
      description="Oja sends events to this address as they happen."
      trigger="Add endpoint"
      triggerVariant="primary"
    >
      {(flow) => <Steps {...props} flow={flow} />}
    </Flow>
  );
}

function Steps({ merchantId, path, mode, flow }: CreateEndpointProps & { flow: FlowControls }) {
  const router = useRouter();
  /** Without a secret: the endpoint was made, but the answer with the secret was lost. */
  const [made, setMade] = useState<{ id: string; secret?: string | undefined }>();
  const [types, setTypes] = useState<readonly EventTypeName[] | null>(null);
  const { work, send } = useSending(flow);
  const create = (url: string) =>
    send({ url, event_types: types === null ? ["*" as const] : [...types] }, async (sent) => {
      const { data } = await call<Create>({ merchantId }, "POST", "/api/v1/webhook-endpoints", sent);
      if (data.secret) flow.showsSecret();
      setMade(data);
    });
  const open = () => {
    flow.close();
    router.push(`${path}/${made?.id}`);
  };
  if (made?.secret) {
    return (
      <ShownOnce
        title="Keep the signing secret"
        secrets={[{ label: "Signing secret", value: made.secret }]}
        fileName={`oja-webhook-${mode}-${made.id}.txt`}
        onKept={open}
      >
        The endpoint is made. Your server checks with this secret that an event is from Oja. It is not shown again.
      </ShownOnce>
    );
  }
  if (made) {
    return (
      <LostSecret title="The endpoint is made, but its secret was not shown" onClose={open}>
        The answer with the secret was lost, and a secret is shown only once. Roll the secret of the endpoint to get another one.
      </LostSecret>
    );
  }
  return (
    <SecurityForm
      {...work}
      label="Add endpoint"
      pendingLabel="Adding…"
      fields={["url", "event_types"]}
      onSend={(typed) => create(typed("url").trim())}
    >
      {(errors) => (
        <>
          <Field
            label="Address"
            name="url"
            error={errors.url}
            hint={mode === "live" ? "https, on the public internet, at port 443." : "https, on the public internet."}
          >
            {(wiring) => (
              <Input
                {...wiring}
                type="url"
                placeholder="https://your-server.example/oja"
                maxLength={2000}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
          <EventTypesField value={types} onChange={setTypes} error={errors.event_types} />
        </>
      )}
    </SecurityForm>
  );
}
