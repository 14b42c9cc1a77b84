"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { useCaller } from "#app/_client/provider.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";

type RenameBusiness = typeof import("#app/api/dashboard/business/route.ts").PATCH;

interface RenameProps {
  name: string;
  requestedName: string | null;
}

/** A form that changes the name of the business, or asks the operators to change it. */
export function Rename(props: RenameProps) {
  return (
    <Flow frame={Dialog} title="Change the name" trigger="Change name">
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

function Form({ name, requestedName, flow }: RenameProps & { flow: FlowControls }) {
  const caller = useCaller();
  const toast = useToast();
  const { work, send } = useSending(flow);
  const rename = (typed: (field: string) => string) =>
    send({ name: typed("name").trim(), from: name, from_requested: requestedName }, async ({ body }) => {
      const { data } = await call<RenameBusiness>(caller, "PATCH", "/api/dashboard/business", { body });
      flow.close();
      toast(
        data.requested_name === null
          ? { title: "Name changed", description: `Your business is called ${data.name}.` }
          : { title: "Name asked for", description: "It changes when the people who run this service have agreed." },
      );
    });
  return (
    <SecurityForm {...work} label="Change name" pendingLabel="Saving…" fields={["name"]} onSend={rename}>
      {(errors) => (
        <Field label="Name" name="name" error={errors.name} hint="As your customers know you.">
          {(wiring) => <Input {...wiring} defaultValue={requestedName ?? name} maxLength={80} autoComplete="organization" />}
        </Field>
      )}
    </SecurityForm>
  );
}
