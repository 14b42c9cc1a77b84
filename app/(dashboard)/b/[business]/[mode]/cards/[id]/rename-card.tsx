"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";

type Rename = typeof import("#app/api/v1/virtual-cards/[id]/route.ts").PATCH;

interface RenameCardProps {
  card: { id: string; name: string; nickname: string | null };
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Gives a card another nickname, or none. */
export function RenameCard({ card, open, onOpenChange }: RenameCardProps) {
  return (
    <Dialog title={`Rename ${card.name}`} open={open} onOpenChange={onOpenChange}>
      <RenameForm card={card} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function RenameForm({ card: { id, nickname }, onDone }: { card: RenameCardProps["card"]; onDone: () => void }) {
  const router = useRouter();
  const { act, isWorking, problem, unanswered } = useAction({
    name: `cards/${id}/rename`,
    // The same name twice is the same name, so no key is needed.
    send: (caller, body: { nickname: string | null }) =>
      call<Rename>(caller, "PATCH", "/api/v1/virtual-cards/{id}", { params: { id }, body }),
    onDone: () => {
      router.refresh();
      onDone();
    },
  });
  return (
    <ActionForm
      isWorking={isWorking}
      problem={problem}
      fields={["nickname"]}
      onSend={(typed) => act({ nickname: typed("nickname").trim() || null })}
    >
      {(errors) => (
        <>
          <Field
            label="Nickname"
            name="nickname"
            optional
            error={errors.nickname}
            hint="Only you see it. Without one, the card is called by its brand."
          >
            {(wiring) => (
              <Input
                {...wiring}
                key={unanswered?.nickname}
                defaultValue={unanswered?.nickname ?? nickname ?? ""}
                maxLength={50}
                autoComplete="off"
              />
            )}
          </Field>
          <OverlayActions>
            <OverlayClose>Cancel</OverlayClose>
            <Button type="submit" variant="primary" pending={isWorking}>
              Rename card
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
