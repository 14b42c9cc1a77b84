"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { type Prover, useProof } from "#app/_client/proof.tsx";
import { Panel, Row, Rows } from "#components/security/panel.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";

type Leave = typeof import("#app/api/dashboard/members/leave/route.ts").POST;

interface LeaveBusinessProps {
  prover: Prover;
  id: string;
  business: string;
  role: string;
  /** The page to open afterwards: another business of the person, or the page for people without a business. */
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
            <Flow frame={Dialog} title={`Leave ${own.business}`} trigger="Leave business">
              {(flow) => <Form {...own} flow={flow} />}
            </Flow>
          }
        />
      </Rows>
    </Panel>
  );
}

function Form({ prover, id, business, homeHref, flow }: Omit<LeaveBusinessProps, "role"> & { flow: FlowControls }) {
  const { work, send } = useSending(flow);
  const { prove, fields } = useProof(prover, "manage_team");
  const leave = (typed: (field: string) => string) =>
    send({ business_id: id }, async ({ body, idempotencyKey }) => {
      const proof = await prove(typed("password"));
      await call<Leave>({ merchantId: prover.merchantId }, "POST", "/api/dashboard/members/leave", {
        body: { ...body, ...proof },
        idempotencyKey,
      });
      // Nothing of this business is shown from here on, so the page is loaded anew.
      location.assign(homeHref);
    });
  return (
    <SecurityForm {...work} isDangerous label="Leave business" pendingLabel="Leaving…" fields={["password"]} onSend={leave}>
      {(errors) => (
        <>
          <p>You see and do nothing in {business} any more. API keys that you made go on working there.</p>
          <p>To come back, you need an invitation.</p>
          {fields(errors.password)}
        </>
      )}
    </SecurityForm>
  );
}
