"use client";

import { Summary } from "#components/page/summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { NairaInput } from "./naira-input.tsx";

/** The first values of the form for a new link. */
export interface LinkDraft {
  /** As a person types it. */
  amount?: string | undefined;
  description?: string | undefined;
  customer_name?: string | undefined;
  customer_email?: string | undefined;
  callback_url?: string | undefined;
}

export const LINK_FIELDS = ["amount", "description", "customer_name", "customer_email", "callback_url"] as const;

interface LinkFieldsProps {
  draft: LinkDraft;
  errors: Record<string, string>;
  /** In live mode, customers are sent to https addresses only. */
  mode: "test" | "live";
}

/** The fields of a payment link, with the limits that the API has. */
export function LinkFields({ draft, errors, mode }: LinkFieldsProps) {
  return (
    <>
      <Field label="Amount" name="amount" hint="₦100 to ₦10,000,000. The account takes exactly this amount." error={errors.amount}>
        {(wiring) => <NairaInput {...wiring} min={100} max={10_000_000} defaultValue={draft.amount} />}
      </Field>
      <Field label="Description" name="description" optional hint="Your customer reads this." error={errors.description}>
        {(wiring) => <Input {...wiring} maxLength={200} dir="auto" autoComplete="off" defaultValue={draft.description} />}
      </Field>
      <Field label="Customer's name" name="customer_name" optional error={errors.customer_name}>
        {(wiring) => <Input {...wiring} maxLength={100} dir="auto" autoComplete="off" defaultValue={draft.customer_name} />}
      </Field>
      <Field label="Customer's email" name="customer_email" optional error={errors.customer_email}>
        {(wiring) => <Input {...wiring} type="email" maxLength={254} autoComplete="off" defaultValue={draft.customer_email} />}
      </Field>
      <More callbackUrl={draft.callback_url} error={errors.callback_url} mode={mode} />
    </>
  );
}

function More({ callbackUrl, error, mode }: { callbackUrl: string | undefined; error: string | undefined; mode: "test" | "live" }) {
  return (
    <details
      open={Boolean(error ?? callbackUrl)}
      // The fold opens for an invalid field, because a browser cannot show its message while the field is hidden.
      onInvalidCapture={({ currentTarget }) => {
        currentTarget.open = true;
      }}
    >
      <Summary>More</Summary>
      <div className="pt-2">
        <Field
          label="Page after paying"
          name="callback_url"
          optional
          hint={`An address of your shop${mode === "live" ? ", with https" : ""}. The customer goes there after paying.`}
          error={error}
        >
          {(wiring) => (
            <Input
              {...wiring}
              type="url"
              maxLength={2_048}
              placeholder="https://"
              autoComplete="off"
              defaultValue={callbackUrl}
              {...(mode === "live" && { pattern: "[Hh][Tt][Tt][Pp][Ss]://.*", title: "An address that begins with https://" })}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
