"use client";

import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { Panel, Row, Rows } from "#components/security/panel.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";

type Leave = typeof import("#app/api/dashboard/members/leave/route.ts").POST;

interface LeaveBusinessProps {
  id: string;
  business: string;
  role: string;
  /** Where the person goes on: to another business, or to the page of people without one. */
  homeHref: string;
}

/** The person's place in the business, with the way out of it. */
export function LeaveBusiness({ role, ...own }: LeaveBusinessProps) {
  return (
    <Panel id="business" title="Your place in the business">
      <Rows>
        <Row
          title={<bdi>{own.business}</bdi>}
          fact={`Your role: ${role}`}
          actions={
            <Dialog title={`Leave ${own.business}`} trigger="Leave business">
              <Form {...own} />
            </Dialog>
          }
        />
      </Rows>
    </Panel>
  );
}

function Form({ id, business, homeHref }: Omit<LeaveBusinessProps, "role">) {
  const { act, isWorking, problem } = useAction({
    name: "members/leave",
    send: (caller, body: { business_id: string }, idempotencyKey) =>
      call<Leave>(caller, "POST", "/api/dashboard/members/leave", { body, idempotencyKey }),
    // Nothing of this business is shown from here on, so the page is loaded anew.
    onDone: () => location.assign(homeHref),
  });
  return (
    <ActionForm isWorking={isWorking} problem={problem} fields={[]} onSend={() => act({ business_id: id })}>
      {() => (
        <>
          <p>You see and do nothing in {business} any more. API keys that you made go on working there.</p>
          <p>To come back, you need an invitation.</p>
          <OverlayActions>
            <OverlayClose>Stay</OverlayClose>
            <Button type="submit" variant="danger" pending={isWorking}>
              Leave business
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
