"use client";

import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { FactorFirst, lacksFactor, type PayoutOwner, PROOF_FIELDS, usePayoutProof } from "#app/(dashboard)/_money-out/use-payout-proof.tsx";
import { NairaInput } from "#components/links/naira-input.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { toMajorNumber } from "#lib/money.ts";
import { nairaTyped } from "#lib/naira-typed.ts";

type SetRules = typeof import("#app/api/dashboard/payout-rules/route.ts").POST;

const MAX = 1_000_000_000;

interface Choices {
  maxAmount: number | null;
  maxADay: number | null;
  twoPeopleAbove: number | null;
  automatic: "day" | "week" | null;
  automaticAccountId: string | null;
  automaticReserve: number;
}

interface ChangeRulesProps {
  owner: PayoutOwner;
  rules: Choices;
  accounts: readonly { id: string; to: string }[];
}

/** The button and the sheet that change the rules for payouts. */
export function ChangeRules(props: ChangeRulesProps) {
  return (
    <Flow frame={Sheet} title="Change payout rules" trigger="Change rules">
      {(flow) => (lacksFactor(props.owner) ? <FactorFirst securityHref={props.owner.securityHref} /> : <Form {...props} flow={flow} />)}
    </Flow>
  );
}

const FIELDS = ["max_amount", "max_a_day", "two_people_above", "automatic", "automatic_account_id", "automatic_reserve", ...PROOF_FIELDS];

const amountIn = (text: string): number | null => {
  const typed = nairaTyped(text);
  return typed ? toMajorNumber(typed) : null;
};

const intervalIn = (text: string): Choices["automatic"] => (text === "day" || text === "week" ? text : null);

function Form({ owner, rules, accounts, flow }: ChangeRulesProps & { flow: FlowControls }) {
  const toast = useToast();
  const [automatic, setAutomatic] = useState(rules.automatic);
  const { work, send } = useSending(flow);
  const { prove, fields } = usePayoutProof(owner, "manage_payouts");
  const save = (typed: (field: string) => string) => {
    const body = {
      ...{ max_amount: amountIn(typed("max_amount")), max_a_day: amountIn(typed("max_a_day")) },
      two_people_above: amountIn(typed("two_people_above")),
      automatic,
      automatic_account_id: automatic === null ? null : typed("automatic_account_id"),
      automatic_reserve: automatic === null ? 0 : (amountIn(typed("automatic_reserve")) ?? 0),
    };
    send(body, async ({ idempotencyKey }) => {
      const proof = await prove(typed);
      const { data } = await call<SetRules>({ merchantId: owner.merchantId }, "POST", "/api/dashboard/payout-rules", {
        ...{ body: { ...body, ...proof }, idempotencyKey },
      });
      flow.close();
      toast({ title: data.next ? "Rules saved: those that allow more begin tomorrow" : "Rules saved" });
    });
  };
  return (
    <SecurityForm {...work} label="Save rules" pendingLabel="Saving…" fields={FIELDS} onSend={save}>
      {(errors) => (
        <>
          <LimitField label="One payout, at most" name="max_amount" value={rules.maxAmount} error={errors.max_amount} />
          <LimitField label="All payouts of a day, at most" name="max_a_day" value={rules.maxADay} error={errors.max_a_day} />
          <LimitField
            label="Two people above"
            name="two_people_above"
            value={rules.twoPeopleAbove}
            error={errors.two_people_above}
            hint="One person alone sends at most so much a day. Above it a second owner or admin agrees. Empty: one person decides."
          />
          <Field label="Automatic payout" name="automatic" error={errors.automatic}>
            {(wiring) => (
              <Select {...wiring} value={automatic ?? "off"} onChange={({ target }) => setAutomatic(intervalIn(target.value))}>
                <option value="off">Off</option>
                <option value="day">Every day</option>
                <option value="week">Every Monday</option>
              </Select>
            )}
          </Field>
          {automatic !== null && <AutomaticFields rules={rules} accounts={accounts} errors={errors} />}
          {fields(errors)}
        </>
      )}
    </SecurityForm>
  );
}

interface LimitFieldProps {
  label: string;
  name: string;
  value: number | null;
  error: string | undefined;
  hint?: string;
}

const LimitField = ({ label, name, value, error, hint = "Empty: no limit of your own." }: LimitFieldProps) => (
  <Field label={label} name={name} optional error={error} hint={hint}>
    {(wiring) => <NairaInput {...wiring} min={0} max={MAX} defaultValue={value ?? ""} />}
  </Field>
);

function AutomaticFields({ rules, accounts, errors }: Pick<ChangeRulesProps, "rules" | "accounts"> & { errors: Record<string, string> }) {
  return (
    <>
      <Field
        label="To"
        name="automatic_account_id"
        error={errors.automatic_account_id}
        hint={accounts.length === 0 ? "Add a bank account first." : undefined}
      >
        {(wiring) => (
          <Select {...wiring} defaultValue={rules.automaticAccountId ?? accounts[0]?.id ?? ""}>
            {accounts.map(({ id, to }) => (
              <option key={id} value={id}>
                {to}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Stays in the wallet"
        name="automatic_reserve"
        optional
        error={errors.automatic_reserve}
        hint="Empty: all of it is sent."
      >
        {(wiring) => <NairaInput {...wiring} min={0} max={MAX} defaultValue={rules.automaticReserve || ""} />}
      </Field>
    </>
  );
}
