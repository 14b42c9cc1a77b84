"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { useCaller } from "#app/_client/provider.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { type ChosenTopic, FREQUENCY_WORDS } from "./to-view.ts";

type SetMails = typeof import("#app/api/dashboard/alerts/mails/route.ts").PATCH;

interface ChooseMailsProps {
  topics: readonly ChosenTopic[];
}

/** Chooses the reader's own emails. */
export function ChooseMails(props: ChooseMailsProps) {
  return (
    <Flow frame={Dialog} title="Change emails to you" trigger="Change emails">
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

function Form({ topics, flow }: ChooseMailsProps & { flow: FlowControls }) {
  const caller = useCaller();
  const toast = useToast();
  const { work, send } = useSending(flow);
  const choose = (typed: (field: string) => string) =>
    send(Object.fromEntries(topics.map(({ key }) => [key, typed(key)])), async ({ body }) => {
      await call<SetMails>(caller, "PATCH", "/api/dashboard/alerts/mails", { body });
      flow.close();
      toast({ title: "Emails changed" });
    });
  return (
    <SecurityForm {...work} label="Save choice" pendingLabel="Saving…" fields={topics.map(({ key }) => key)} onSend={choose}>
      {(errors) =>
        topics.map(({ key, topic, frequency }) => (
          <Field key={key} label={topic} name={key} error={errors[key]}>
            {(wiring) => (
              <Select {...wiring} defaultValue={frequency}>
                {Object.entries(FREQUENCY_WORDS).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        ))
      }
    </SecurityForm>
  );
}
