"use client";

import { call } from "#app/_client/call.ts";
import { Flow, type FlowControls, useSending } from "#app/_client/flow.tsx";
import { useCaller } from "#app/_client/provider.tsx";
import { SecurityForm } from "#components/security/security-form.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { CONTROL } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";

type SetOrigins = typeof import("#app/api/dashboard/embed-origins/route.ts").POST;

interface ChangeFramesProps {
  /** As they are stored. */
  origins: readonly string[];
  /** The same, as people read them. */
  shown: readonly string[];
  mode: "test" | "live";
}

/** Lists the sites that may show the payment page in a frame. */
export function ChangeFrames(props: ChangeFramesProps) {
  return (
    <Flow frame={Dialog} title="Sites that may show your payment page" trigger="Change sites">
      {(flow) => <Form {...props} flow={flow} />}
    </Flow>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

function Form({ origins: from, shown, mode, flow }: ChangeFramesProps & { flow: FlowControls }) {
  const caller = useCaller();
  const toast = useToast();
  const { work, send } = useSending(flow);
  const change = (typed: (field: string) => string) =>
    send({ origins: linesOf(typed("origins")), from: [...from] }, async ({ body }) => {
      await call<SetOrigins>(caller, "POST", "/api/dashboard/embed-origins", { body });
      flow.close();
      toast({ title: "Sites saved" });
    });
  return (
    <SecurityForm {...work} label="Save sites" pendingLabel="Saving…" fields={["origins"]} onSend={change}>
      {(errors) => (
        <Field
          label="Sites"
          name="origins"
          optional
          error={errors.origins}
          hint={`One a line, like https://shop.example, at most ten. ${mode === "live" ? "Each begins with https." : "In test mode http works too."} Empty: no site.`}
        >
          {(wiring) => (
            <textarea
              {...wiring}
              rows={4}
              defaultValue={shown.join("\n")}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className={`${CONTROL} font-mono`}
            />
          )}
        </Field>
      )}
    </SecurityForm>
  );
}
