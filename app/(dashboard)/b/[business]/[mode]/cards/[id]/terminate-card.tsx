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

type Terminate = typeof import("#app/api/v1/virtual-cards/[id]/terminate/route.ts").POST;

interface TerminateCardProps {
  card: { id: string; name: string; last4: string | null; returns: string };
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks for the last four digits before a card ends for good, and says what returns. */
export function TerminateCard({ card, open, onOpenChange }: TerminateCardProps) {
  return (
    <Dialog title={`Terminate ${card.name}`} open={open} onOpenChange={onOpenChange}>
      <TerminateForm card={card} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function TerminateForm({ card: { id, last4, returns }, onDone }: { card: TerminateCardProps["card"]; onDone: () => void }) {
  const router = useRouter();
  const toast = useToast();
  const [isWrong, setWrong] = useState(false);
  const { act, isWorking, problem } = useAction({
    name: `cards/${id}/terminate`,
    send: (caller, _body: Record<string, never>, idempotencyKey) =>
      call<Terminate>(caller, "POST", "/api/v1/virtual-cards/{id}/terminate", { params: { id }, idempotencyKey }),
    onDone: ({ data: { status } }) => {
      router.refresh();
      onDone();
      toast({ title: status === "TERMINATED" ? "Card terminated" : "The termination is under way. This page will tell you." });
    },
  });
  const send = (typed: (field: string) => string) => {
    const isRight = typed("last4").trim() === last4;
    setWrong(!isRight);
    if (isRight) act({});
  };
  return (
    <ActionForm isWorking={isWorking} problem={problem} fields={["last4"]} onSend={send}>
      {() => (
        <>
          <p>The card ends for good: shops are declined, and it cannot be opened again.</p>
          <p>{returns}</p>
          <Field
            label={`Type the last four digits of the card: ${last4 ?? ""}`}
            name="last4"
            error={isWrong ? "These are not the last four digits of this card." : undefined}
          >
            {(wiring) => <Input {...wiring} inputMode="numeric" maxLength={4} autoComplete="off" data-1p-ignore data-lpignore="true" />}
          </Field>
          <OverlayActions>
            <OverlayClose>Keep the card</OverlayClose>
            <Button type="submit" variant="danger" pending={isWorking}>
              Terminate card
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
