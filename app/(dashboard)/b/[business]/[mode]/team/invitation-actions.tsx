"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Resend = typeof import("#app/api/dashboard/invitations/[id]/resend/route.ts").POST;
type Withdraw = typeof import("#app/api/dashboard/invitations/[id]/withdraw/route.ts").POST;

interface InvitationActionsProps {
  id: string;
  email: string;
  /** Whether mails may be sent: the business is not suspended. */
  maySend: boolean;
}

/** What can be done with an invitation that nobody has accepted. */
export function InvitationActions({ id, email, maySend }: InvitationActionsProps) {
  const router = useRouter();
  const toast = useToast();
  const resend = useAction({
    name: `invitations/${id}/resend`,
    // Twice within a minute is refused, so no key is needed.
    send: (caller, _body: Record<string, never>) =>
      call<Resend>(caller, "POST", "/api/dashboard/invitations/{id}/resend", { params: { id } }),
    onDone: () => {
      router.refresh();
      toast({ title: "Invitation sent again", description: "The earlier link does not work any more." });
    },
  });
  const withdraw = useAction({
    name: `invitations/${id}/withdraw`,
    send: (caller, _body: Record<string, never>) =>
      call<Withdraw>(caller, "POST", "/api/dashboard/invitations/{id}/withdraw", { params: { id } }),
    onDone: () => {
      router.refresh();
      toast({ title: "Invitation withdrawn", description: "Its link does not work any more." });
    },
  });
  const problem = resend.problem ?? withdraw.problem;
  return (
    <div className="flex flex-col gap-2">
      {problem && <ProblemNotice problem={problem} />}
      <div className="flex flex-wrap gap-2">
        {maySend && (
          <Button aria-label={`Send again the invitation to ${email}`} pending={resend.isWorking} onClick={() => resend.act({})}>
            Send again
          </Button>
        )}
        <Button aria-label={`Withdraw the invitation to ${email}`} pending={withdraw.isWorking} onClick={() => withdraw.act({})}>
          Withdraw
        </Button>
      </div>
    </div>
  );
}
