"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { useToast } from "#components/ui/toast.tsx";

type Bind = typeof import("#app/api/dashboard/simulator/provider/route.ts").POST;
type Kind = "bank" | "issuer" | "aggregator";

interface ChooseProviderProps {
  kind: Kind;
  label: string;
  names: readonly string[];
  bound: string | null;
  mayChange: boolean;
}

/** Chooses which provider of the sandbox stands behind a kind. */
export function ChooseProvider({ kind, label, names, bound, mayChange }: ChooseProviderProps) {
  const router = useRouter();
  const toast = useToast();
  const { act, isWorking, problem } = useAction({
    name: `simulator/${kind}`,
    send: (caller, body: { kind: Kind; provider: string }, idempotencyKey) =>
      call<Bind>(caller, "POST", "/api/dashboard/simulator/provider", { body, idempotencyKey }),
    onDone: ({ data: { provider } }) => {
      toast({ title: `${label}: ${provider}` });
      router.refresh();
    },
  });
  if (names.length < 2 || !mayChange) {
    return (
      <p>
        {label}: <span className="font-mono">{bound ?? "none"}</span>
      </p>
    );
  }
  return (
    <ActionForm
      label={label}
      isWorking={isWorking}
      problem={problem}
      fields={[kind]}
      onSend={(typed) => act({ kind, provider: typed(kind) })}
    >
      {(errors) => (
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-72 max-w-full">
            <Field label={label} name={kind} error={errors[kind]}>
              {(wiring) => (
                <Select {...wiring} key={bound} defaultValue={bound ?? ""}>
                  {names.map((name) => (
                    <option key={name} value={name}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          </div>
          <Button type="submit" pending={isWorking}>
            Use this one
          </Button>
        </div>
      )}
    </ActionForm>
  );
}
