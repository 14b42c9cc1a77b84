"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { MemberToChange, Opened } from "./member-to-change.ts";

type Remove = typeof import("#app/api/dashboard/members/[id]/remove/route.ts").POST;

interface RemoveMemberProps {
  member: MemberToChange;
  teamHref: string;
}

export function RemoveMember({ open, onOpenChange, ...props }: RemoveMemberProps & Opened) {
  return (
    <Dialog title={`Remove ${props.member.name}`} open={open} onOpenChange={onOpenChange}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({ member: { id, name }, teamHref }: RemoveMemberProps) {
  const router = useRouter();
  const toast = useToast();
  const { act, isWorking, problem } = useAction({
    name: `members/${id}/remove`,
    send: (caller, _body: Record<string, never>) => call<Remove>(caller, "POST", "/api/dashboard/members/{id}/remove", { params: { id } }),
    onDone: () => {
      toast({ title: `${name} is removed`, description: "The person is refused within a second." });
      router.replace(teamHref);
      router.refresh();
    },
  });
  return (
    <ActionForm isWorking={isWorking} problem={problem} fields={[]} onSend={() => act({})}>
      {() => (
        <>
          <p>
            {name} sees and does nothing here any more, within a second. API keys that {name} made go on working: revoke those that {name}{" "}
            may have kept.
          </p>
          <p>To take the person back, send an invitation.</p>
          <OverlayActions>
            <OverlayClose>Keep the member</OverlayClose>
            <Button type="submit" variant="danger" pending={isWorking}>
              Remove member
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
