"use client";

import type { ComponentProps } from "react";
import { naira } from "#components/top-ups/pay-box.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

interface AmountFieldProps {
  wiring: ComponentProps<typeof Input>;
  /** Whole Naira, to choose from. */
  amounts: readonly number[];
  onAmount: (text: string) => void;
  hint: string;
  error: string | undefined;
}

/** An amount of Naira, typed or chosen. */
export const AmountField = ({ wiring, amounts, onAmount, hint, error }: AmountFieldProps) => (
  <div className="flex flex-col gap-3">
    <Field label="Amount in Naira" name="amount" hint={hint} error={error}>
      {(field) => <Input {...wiring} {...field} inputMode="decimal" autoComplete="off" maxLength={20} className="max-w-md tabular-nums" />}
    </Field>
    <fieldset className="flex min-w-0 flex-wrap gap-2">
      <legend className="sr-only">Common amounts</legend>
      {amounts.map((amount) => (
        <button
          key={amount}
          type="button"
          onClick={() => onAmount(String(amount))}
          className="min-h-11 rounded-full border border-line bg-surface px-3 py-1 text-fact font-medium tabular-nums hover:border-control sm:min-h-8"
        >
          {naira(BigInt(amount) * 100n).replace(".00", "")}
        </button>
      ))}
    </fieldset>
  </div>
);

/** Returns what is wrong with an amount in kobo, or undefined. */
export function wrongAmount(minor: bigint | undefined, least: bigint, most: bigint): string | undefined {
  if (minor === undefined) return "Enter an amount in Naira, such as 500 or 1,500.50.";
  if (minor < least) return `Enter at least ${naira(least)}.`;
  return minor > most ? `Enter at most ${naira(most)}.` : undefined;
}
