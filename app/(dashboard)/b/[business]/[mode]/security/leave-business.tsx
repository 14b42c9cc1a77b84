"use client";

import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { Panel, Row, Rows } from "#components/security/panel.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";

type Leave = typeof import("#app/api/dashboard/members/leave/route.ts").POST;

/** The person's place in the business, with the way out of it. */
export function LeaveBusiness({ id, business, role }: { id: string; business: string; role: string }) {
  return (
    <Panel id="business" title="Your place in the business">
      <Rows>
        <Row
          title={<bdi>{business}</bdi>}
          fact={`Your role: ${role}`}
          actions={
            <Dialog title={`Leave ${business}`} trigger="Leave">
              <Form id={id} business={business} />
            </Dialog>
          }
        />
      </Rows>
    </Panel>
  );
}

function Form({ id, business }: { id: string; business: string }) {
  const { act, isWorking, problem } = useAction({
    name: "members/leave",
    send: (caller, body: { business_id: string }) => call<Leave>(caller, "POST", "/api/dashboard/members/leave", { body }),
    // Nothing of this business is shown from here on, so the page is loaded anew.
    onDone: () => location.assign("/"),
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
              Leave the business
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
