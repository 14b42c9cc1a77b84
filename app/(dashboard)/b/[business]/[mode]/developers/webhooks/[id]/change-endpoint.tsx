"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { type EventTypeName, EventTypesField } from "#components/developers/event-types-field.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import type { EndpointToChange } from "./endpoint-to-change.ts";

type Change = typeof import("#app/api/v1/webhook-endpoints/[id]/route.ts").PATCH;
type Body = NonNullable<NonNullable<Parameters<typeof call<Change>>[3]>["body"]>;

interface ChangeEndpointProps {
  endpoint: EndpointToChange;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Changes the address of an endpoint, and which events it gets. */
export function ChangeEndpoint({ endpoint, open, onOpenChange }: ChangeEndpointProps) {
  return (
    <Sheet title="Change the endpoint" open={open} onOpenChange={onOpenChange}>
      <ChangeForm endpoint={endpoint} onDone={() => onOpenChange(false)} />
    </Sheet>
  );
}

function ChangeForm({ endpoint: { id, url, eventTypes }, onDone }: { endpoint: EndpointToChange; onDone: () => void }) {
  const router = useRouter();
  const [types, setTypes] = useState<readonly EventTypeName[] | null>(eventTypes);
  const { act, isWorking, problem } = useAction({
    name: `endpoints/${id}/change`,
    // The same change twice is the same change, so no key is needed.
    send: (caller, body: Body) => call<Change>(caller, "PATCH", "/api/v1/webhook-endpoints/{id}", { params: { id }, body }),
    onDone: () => {
      router.refresh();
      onDone();
    },
  });
  return (
    <ActionForm
      isWorking={isWorking}
      problem={problem}
      fields={["url", "event_types"]}
      className="grow"
      onSend={(typed) => act({ url: typed("url").trim(), event_types: types === null ? ["*"] : [...types] })}
    >
      {(errors) => (
        <>
          <Field label="Address" name="url" error={errors.url}>
            {(wiring) => <Input {...wiring} type="url" defaultValue={url} maxLength={2000} autoComplete="off" spellCheck={false} />}
          </Field>
          <EventTypesField value={types} onChange={setTypes} error={errors.event_types} />
          <OverlayActions>
            <OverlayClose>Cancel</OverlayClose>
            <Button type="submit" variant="primary" pending={isWorking}>
              Save endpoint
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
