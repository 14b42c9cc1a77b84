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
import type { KeyToChange } from "./key-to-change.ts";

type Revoke = typeof import("#app/api/dashboard/api-keys/[id]/revoke/route.ts").POST;

interface RevokeKeyProps {
  apiKey: KeyToChange;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for the name of a key before it ends for good. */
export function RevokeKey({ apiKey, open, onOpenChange }: RevokeKeyProps) {
  return (
    <Dialog title={`Revoke ${apiKey.name}`} open={open} onOpenChange={onOpenChange}>
      <RevokeForm apiKey={apiKey} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function RevokeForm({ apiKey: { id, name }, onDone }: { apiKey: KeyToChange; onDone: () => void }) {
  const router = useRouter();
  const toast = useToast();
  const [isWrong, setWrong] = useState(false);
  const { act, isWorking, problem } = useAction({
    name: `keys/${id}/revoke`,
    send: (caller, _body: Record<string, never>, idempotencyKey) =>
      call<Revoke>(caller, "POST", "/api/dashboard/api-keys/{id}/revoke", { params: { id }, idempotencyKey }),
    onDone: () => {
      router.refresh();
      onDone();
      toast({ title: "Key revoked", description: "It is refused within a second." });
    },
  });
  const send = (typed: (field: string) => string) => {
    const isRight = typed("name").trim() === name.trim();
    setWrong(!isRight);
    if (isRight) act({});
  };
  return (
    <ActionForm isWorking={isWorking} problem={problem} fields={["name"]} onSend={send}>
      {() => (
        <>
          <p>Every request with this key is refused within a second, and it cannot work again. To change over without a pause, roll it.</p>
          <Field label={`Type the name of the key: ${name}`} name="name" error={isWrong ? "This is not the name of this key." : undefined}>
            {(wiring) => <Input {...wiring} autoComplete="off" data-1p-ignore data-lpignore="true" />}
          </Field>
          <OverlayActions>
            <OverlayClose>Keep the key</OverlayClose>
            <Button type="submit" variant="danger" pending={isWorking}>
              Revoke key
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
