"use client";

import { useRouter } from "next/navigation";
import { call } from "#app/_client/call.ts";
import { useAction } from "#app/_client/use-action.ts";
import { ActionForm } from "#components/ui/action-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { OverlayActions, OverlayClose } from "#components/ui/overlay.tsx";
import { Sheet } from "#components/ui/sheet.tsx";
import { Unanswered } from "./unanswered.tsx";

type Create = typeof import("#app/api/v1/virtual-cards/cardholders/route.ts").POST;

interface Body {
  first_name: string;
  last_name: string;
  email: string;
  phone?: string;
}

/** The sheet that creates a cardholder. `path` is that of the cards. */
export function CreateCardholder({ path }: { path: string }) {
  return (
    <Sheet
      title="Create a cardholder"
      description="The person to whom you issue cards. The card's issuer checks the person's identity."
      trigger="Create cardholder"
      triggerVariant="primary"
    >
      <CreateForm path={path} />
    </Sheet>
  );
}

function CreateForm({ path }: { path: string }) {
  const router = useRouter();
  const { act, isWorking, problem, lost } = useAction({
    name: "cardholders/create",
    send: (caller, body: Body, idempotencyKey) =>
      call<Create>(caller, "POST", "/api/v1/virtual-cards/cardholders", { body, idempotencyKey }),
    onDone: ({ data }) => router.push(`${path}/holders/${data.id}`),
  });
  const send = (typed: (field: string) => string) => {
    const phone = typed("phone").trim();
    act({ first_name: typed("first_name"), last_name: typed("last_name"), email: typed("email").trim(), ...(phone && { phone }) });
  };
  if (lost) {
    const name = `${lost.first_name} ${lost.last_name}`;
    return <Unanswered what={name} isWorking={isWorking} problem={problem} onSend={() => act(lost)} />;
  }
  return (
    <ActionForm
      isWorking={isWorking}
      problem={problem}
      fields={["first_name", "last_name", "email", "phone"]}
      onSend={send}
      className="grow"
    >
      {(errors) => (
        <>
          <Field label="First name" name="first_name" error={errors.first_name} hint="As it stands in the person's papers.">
            {(wiring) => <Input {...wiring} maxLength={100} autoComplete="off" />}
          </Field>
          <Field label="Last name" name="last_name" error={errors.last_name}>
            {(wiring) => <Input {...wiring} maxLength={100} autoComplete="off" />}
          </Field>
          <Field
            label="Email"
            name="email"
            error={errors.email}
            hint="An email is one person: if you have used this one before, you get the same cardholder, unchanged."
          >
            {(wiring) => <Input {...wiring} type="email" maxLength={254} autoComplete="off" inputMode="email" />}
          </Field>
          <Field label="Phone" name="phone" optional error={errors.phone} hint="08031234567, or with the country code.">
            {(wiring) => <Input {...wiring} type="tel" maxLength={30} autoComplete="off" />}
          </Field>
          <OverlayActions>
            <OverlayClose>Cancel</OverlayClose>
            <Button type="submit" variant="primary" pending={isWorking}>
              Create cardholder
            </Button>
          </OverlayActions>
        </>
      )}
    </ActionForm>
  );
}
