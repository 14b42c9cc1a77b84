"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { isHostOf } from "#lib/web-address.ts";
import type { EndpointToChange } from "./endpoint-to-change.ts";

type Delete = typeof import("#app/api/v1/webhook-endpoints/[id]/route.ts").DELETE;

interface DeleteEndpointProps {
  endpoint: EndpointToChange;
  listHref: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for the host of an endpoint before it is deleted for good. */
export function DeleteEndpoint({ endpoint, listHref, open, onOpenChange }: DeleteEndpointProps) {
  return (
    <Dialog title="Delete the endpoint" open={open} onOpenChange={onOpenChange}>
      <DeleteForm endpoint={endpoint} listHref={listHref} />
    </Dialog>
  );
}

function DeleteForm({ endpoint: { id, url, host }, listHref }: Pick<DeleteEndpointProps, "endpoint" | "listHref">) {
  const router = useRouter();
  const toast = useToast();
  const [isWrong, setWrong] = useState(false);
  const { act, isWorking, problem } = useAction({
    name: `endpoints/${id}/delete`,
    send: (caller, _body: Record<string, never>) => call<Delete>(caller, "DELETE", "/api/v1/webhook-endpoints/{id}", { params: { id } }),
    onDone: () => {
      toast({ title: "Endpoint deleted" });
      router.replace(listHref);
      router.refresh();
    },
  });
  const send = (typed: (field: string) => string) => {
    const isRight = isHostOf(typed("host"), url);
    setWrong(!isRight);
    if (isRight) act({});
  };
  return (
    <ActionForm isWorking={isWorking} problem={problem} fields={["host"]} onSend={send}>
      {() => (
        <>
          <p>Nothing more is sent to it, and what waits is not sent. Its deliveries stay to be read. Its secret ends for good.</p>
          <p>To stop it for a while, disable it.</p>
          <Field label={`Type ${host}`} name="host" error={isWrong ? "This is not the host of this endpoint." : undefined}>
            {(wiring) => (
              <Input {...wiring} autoComplete="off" autoCapitalize="none" spellCheck={false} data-1p-ignore data-lpignore="true" />
            )}
          </Field>
          <OverlayActions>
            <OverlayClose>Keep the endpoint</OverlayClose>
            <Button type="submit" variant="danger" pending={isWorking}>
              Delete endpoint
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
