"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { Summary } from "#components/page/summary.tsx";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { toMajorNumber } from "#lib/money.ts";
import { nairaTyped } from "#lib/naira-typed.ts";
import { Simulate } from "../../links/[reference]/simulate.tsx";
import type { Simulation } from "../../links/[reference]/simulations-of.ts";

interface LinkToPay {
  reference: string;
  label: string;
  simulations: readonly Simulation[];
}

/** Plays the customer of one of the newest links. `path` is that of the links. */
export function PlayCustomer({ links, path }: { links: readonly LinkToPay[]; path: string }) {
  const [chosen, setChosen] = useState(links[0]?.reference);
  const link = links.find(({ reference }) => reference === chosen) ?? links[0];
  if (!link) return null;
  const { reference, simulations } = link;
  return (
    <div className="flex flex-col gap-4">
      <div className="max-w-[36rem]">
        <Field label="Payment link" name="link" aside={<TextLink href={`${path}/${reference}`}>Open the link</TextLink>}>
          {(wiring) => (
            <Select {...wiring} value={reference} onChange={({ target }) => setChosen(target.value)}>
              {links.map(({ reference: value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Simulate key={reference} reference={reference} simulations={simulations} />
      <details>
        <Summary>Send a transfer of your own</Summary>
        <TransferForm key={reference} reference={reference} />
      </details>
    </div>
  );
}

type Transfer = typeof import("#app/api/v1/test/checkout/[reference]/transfer/route.ts").POST;
type Body = NonNullable<NonNullable<Parameters<typeof call<Transfer>>[3]>["body"]>;

const FIELDS = ["amount", "sender_name", "session_id", "made_at"] as const;

function TransferForm({ reference }: { reference: string }) {
  const router = useRouter();
  const toast = useToast();
  const { act, isWorking, problem } = useAction({
    name: `simulator/transfer/${reference}`,
    send: (caller, body: Body, idempotencyKey) =>
      call<Transfer>(caller, "POST", "/api/v1/test/checkout/{reference}/transfer", { params: { reference }, body, idempotencyKey }),
    onDone: () => {
      toast({ title: "The bank has told of the transfer" });
      router.refresh();
    },
  });
  const send = (typed: (field: string) => string) => {
    const amount = nairaTyped(typed("amount"));
    const [sender, session, madeAt] = [typed("sender_name").trim(), typed("session_id").trim(), typed("made_at")];
    act({
      ...(amount && { amount: toMajorNumber(amount) }),
      ...(sender && { sender_name: sender }),
      ...(session && { session_id: session }),
      // The field has no zone; people here mean the time in Lagos.
      ...(madeAt && { made_at: new Date(`${madeAt}+01:00`).toISOString() }),
    });
  };
  return (
    <ActionForm label="A transfer" className="mt-3 max-w-[36rem]" isWorking={isWorking} problem={problem} fields={FIELDS} onSend={send}>
      {(errors) => (
        <>
          <Field label="Amount in Naira" name="amount" optional error={errors.amount} hint="Empty: exactly what the link asks for.">
            {(wiring) => <Input {...wiring} inputMode="decimal" autoComplete="off" />}
          </Field>
          <Field label="Name of the sender" name="sender_name" optional error={errors.sender_name}>
            {(wiring) => <Input {...wiring} maxLength={100} autoComplete="off" />}
          </Field>
          <Field
            label="Session id of the bank"
            name="session_id"
            optional
            error={errors.session_id}
            hint="The same id again is the same transfer, told twice."
          >
            {(wiring) => <Input {...wiring} maxLength={64} autoComplete="off" className="font-mono" />}
          </Field>
          <Field label="When the bank took it, in Lagos" name="made_at" optional error={errors.made_at} hint="Empty: now.">
            {(wiring) => <Input {...wiring} type="datetime-local" step={1} />}
          </Field>
          <div>
            <Button type="submit" pending={isWorking}>
              Send transfer
            </Button>
          </div>
        </>
      )}
    </ActionForm>
  );
}
