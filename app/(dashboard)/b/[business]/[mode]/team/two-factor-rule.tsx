"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { type Prover, useProof } from "#app/_client/proof.tsx";
import { Panel, Row, Rows } from "#components/security/panel.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { StatePill } from "#components/ui/state-pill.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Require = typeof import("#app/api/dashboard/team/two-factor/route.ts").POST;

interface TwoFactorRuleProps {
  prover: Prover;
  isRequired: boolean;
  /** Only owners decide. */
  mayDecide: boolean;
  /** Whether the reader has two-step sign-in. */
  hasOwn: boolean;
  /** The members who have none. */
  without: readonly string[];
  securityHref: string;
}

/** Whether every member needs two-step sign-in. */
export function TwoFactorRule(props: TwoFactorRuleProps) {
  const { isRequired, mayDecide, hasOwn, securityHref } = props;
  return (
    <Panel
      id="two-step"
      title="Two-step sign-in"
      lead="A password alone can be stolen. A second step, an app or a passkey, keeps a thief out."
    >
      <Rows>
        <Row
          title={
            isRequired ? (
              <>
                Every member needs it <StatePill tone="success">Required</StatePill>
              </>
            ) : (
              "Each member chooses"
            )
          }
          fact={
            mayDecide && !isRequired && !hasOwn ? (
              <>
                To require it of the team, <TextLink href={securityHref}>turn it on for yourself first</TextLink>.
              </>
            ) : (
              factOf(props)
            )
          }
          actions={mayDecide && (isRequired || hasOwn) && <Decide {...props} />}
        />
      </Rows>
    </Panel>
  );
}

function factOf({ isRequired, mayDecide, without }: TwoFactorRuleProps): string {
  const who = mayDecide ? "" : " An owner decides this.";
  if (without.length === 0) return `All members have it.${who}`;
  const names = without.length > 3 ? `${without.slice(0, 3).join(", ")} and ${without.length - 3} more` : without.join(", ");
  return isRequired ? `Still without it: ${names}. They are led to it at their next sign-in.${who}` : `Without it: ${names}.${who}`;
}

function Decide(props: TwoFactorRuleProps) {
  return (
    <Flow
      frame={Dialog}
      title={props.isRequired ? "Let each member choose" : "Require two-step sign-in"}
      trigger={props.isRequired ? "Let each choose" : "Require it"}
    >
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

function Form({ prover, isRequired, without, flow }: TwoFactorRuleProps & { flow: FlowControls }) {
  const toast = useToast();
  const { work, send } = useSending(flow);
  const { prove, fields } = useProof(prover, "manage_team");
  const decide = (typed: (field: string) => string) =>
    send({ required: !isRequired }, async ({ body }) => {
      const proof = await prove(typed("password"));
      await call<Require>({ merchantId: prover.merchantId }, "POST", "/api/dashboard/team/two-factor", { body: { ...body, ...proof } });
      flow.close();
      toast({ title: isRequired ? "Each member chooses now" : "Two-step sign-in is required now" });
    });
  return (
    <SecurityForm
      {...work}
      label={isRequired ? "Let each choose" : "Require it of everybody"}
      pendingLabel="Saving…"
      fields={["required", "password"]}
      onSend={decide}
    >
      {(errors) => (
        <>
          <p>
            {isRequired
              ? "A password alone opens the business again for members who turn their second step off."
              : `${affected(without.length)} A member who is at work now may finish: after a day, or at the next sign-in, nothing else opens until it is turned on.`}
          </p>
          {fields(errors.password)}
        </>
      )}
    </SecurityForm>
  );
}

const affected = (count: number): string =>
  count === 0 ? "All members have it already." : count === 1 ? "One member does not have it yet." : `${count} members do not have it yet.`;
