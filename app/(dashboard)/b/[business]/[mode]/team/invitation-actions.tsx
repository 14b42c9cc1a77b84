"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { type Prover, useProof } from "#app/_client/proof.tsx";
import { useAction } from "#app/_client/use-action.ts";
import { SecurityForm } from "#components/security/security-form.tsx";
import { ProblemNotice } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Resend = typeof import("#app/api/dashboard/invitations/[id]/resend/route.ts").POST;
type Withdraw = typeof import("#app/api/dashboard/invitations/[id]/withdraw/route.ts").POST;

interface InvitationActionsProps {
  prover: Prover;
  id: string;
  email: string;
  /** Whether mails may be sent: the business is not suspended. */
  maySend: boolean;
}

/** What can be done with an invitation that nobody has accepted. */
export function InvitationActions({ prover, id, email, maySend }: InvitationActionsProps) {
  const router = useRouter();
  const toast = useToast();
  const withdraw = useAction({
    name: `invitations/${id}/withdraw`,
    send: (caller, _body: Record<string, never>) =>
      call<Withdraw>(caller, "POST", "/api/dashboard/invitations/{id}/withdraw", { params: { id } }),
    onDone: () => {
      router.refresh();
      toast({ title: "Invitation withdrawn", description: "Its link does not work any more." });
    },
  });
  return (
    <div className="flex flex-col gap-2">
      {withdraw.problem && <ProblemNotice problem={withdraw.problem} />}
      <div className="flex flex-wrap gap-2">
        {maySend && <SendAgain prover={prover} id={id} email={email} />}
        <Button aria-label={`Withdraw the invitation to ${email}`} pending={withdraw.isWorking} onClick={() => withdraw.act({})}>
          Withdraw
        </Button>
      </div>
    </div>
  );
}

type SendAgainProps = Omit<InvitationActionsProps, "maySend">;

/** Mails the invitation once more. It may have expired or lapsed, so it gives rights, and needs a proof. */
function SendAgain(props: SendAgainProps) {
  return (
    <Flow
      frame={Dialog}
      title="Send the invitation again"
      trigger={
        <span>
          Send again<span className="sr-only"> the invitation to {props.email}</span>
        </span>
      }
    >
      {(flow) => <SendAgainForm {...props} flow={flow} />}
    </Flow>
  );
}

function SendAgainForm({ prover, id, email, flow }: SendAgainProps & { flow: FlowControls }) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const { prove, fields } = useProof(prover, "manage_team");
  // Twice within a minute is refused, so no key is needed.
  const resend = (typed: (field: string) => string) =>
    send({ id }, async () => {
      const body = await prove(typed("password"));
      await call<Resend>({ merchantId: prover.merchantId }, "POST", "/api/dashboard/invitations/{id}/resend", { params: { id }, body });
      flow.close();
      toast({ title: "Invitation sent again", description: "The earlier link does not work any more." });
    });
  return (
    <SecurityForm {...work} label="Send again" pendingLabel="Sending…" fields={["password"]} onSend={resend}>
      {(errors) => (
        <>
          <p>
            <bdi>{email}</bdi> gets a new link that works for seven days. The earlier link ends.
          </p>
          {fields(errors.password)}
        </>
      )}
    </SecurityForm>
  );
}
