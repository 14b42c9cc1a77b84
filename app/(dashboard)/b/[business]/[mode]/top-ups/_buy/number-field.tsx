"use client";

import type { ComponentProps } from "react";
import { type Customer, CustomerLine } from "#components/top-ups/customer-line.tsx";
import { type Recent, Recents } from "#components/top-ups/recents.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

interface NumberFieldProps {
  label: string;
  name: string;
  hint: string;
  wiring: ComponentProps<typeof Input>;
  customer: Customer;
  recents: readonly Recent[];
  onRecent: (recent: Recent) => void;
  error: string | undefined;
  /** At some discos, meter numbers contain letters. */
  hasLetters?: boolean;
}

/** The number of a meter or a smart card, with the name of its owner as soon as the provider says it. */
export const NumberField = ({ label, name, hint, wiring, customer, recents, onRecent, error, hasLetters = false }: NumberFieldProps) => (
  <div className="flex flex-col gap-1">
    <Field label={label} name={name} hint={hint} error={error}>
      {(field) => (
        <Input
          {...wiring}
          {...field}
          inputMode={hasLetters ? "text" : "numeric"}
          autoComplete="off"
          maxLength={40}
          className="max-w-md tabular-nums"
        />
      )}
    </Field>
    <CustomerLine customer={customer} />
    <Recents recents={recents} onChoose={onRecent} />
  </div>
);
