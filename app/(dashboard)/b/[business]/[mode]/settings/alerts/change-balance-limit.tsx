"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { useCaller } from "#app/_client/provider.tsx";
import { NairaInput } from "#components/links/naira-input.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { toMajorNumber } from "#lib/money.ts";
import { nairaTyped } from "#lib/naira-typed.ts";

type SetLimit = typeof import("#app/api/dashboard/alerts/balance-limit/route.ts").PATCH;

const MAX = 1_000_000_000;

interface ChangeBalanceLimitProps {
  /** Naira. Null: no alert. */
  limit: number | null;
}

/** Chooses the balance below which there is an alert. */
export function ChangeBalanceLimit(props: ChangeBalanceLimitProps) {
  return (
    <Flow frame={Dialog} title="Alert when the balance is low" trigger={props.limit === null ? "Set a limit" : "Change limit"}>
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

function Form({ limit, flow }: ChangeBalanceLimitProps & { flow: FlowControls }) {
  const caller = useCaller();
  const toast = useToast();
  const { work, send } = useSending(flow);
  const change = (typed: (field: string) => string) => {
    const amount = nairaTyped(typed("amount"));
    send({ amount: amount ? toMajorNumber(amount) : null, from: limit }, async ({ body }) => {
      await call<SetLimit>(caller, "PATCH", "/api/dashboard/alerts/balance-limit", { body });
      flow.close();
      toast({ title: body.amount === null ? "Alert switched off" : "Limit saved" });
    });
  };
  return (
    <SecurityForm {...work} label="Save limit" pendingLabel="Saving…" fields={["amount"]} onSend={change}>
      {(errors) => (
        <Field label="Less than, in Naira" name="amount" optional error={errors.amount} hint="Empty: no alert.">
          {(wiring) => <NairaInput {...wiring} min={1} max={MAX} defaultValue={limit ?? ""} />}
        </Field>
      )}
    </SecurityForm>
  );
}
