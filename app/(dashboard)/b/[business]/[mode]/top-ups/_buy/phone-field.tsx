"use client";

import type { ComponentProps } from "react";
import { typedPhone } from "#components/top-ups/numbers.ts";
import { type Recent, Recents } from "#components/top-ups/recents.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { guessNetwork } from "#lib/phone.ts";

export const WRONG_PHONE = "Enter a Nigerian mobile number, such as 0803 123 4567 or +234 803 123 4567.";

interface PhoneFieldProps {
  wiring: ComponentProps<typeof Input>;
  recents: readonly Recent[];
  onRecent: (recent: Recent) => void;
  error: string | undefined;
}

/** The number that airtime or data is bought for, with those that were bought for lately. */
export const PhoneField = ({ wiring, recents, onRecent, error }: PhoneFieldProps) => (
  <div className="flex flex-col gap-3">
    <Field label="Phone number" name="phone" error={error}>
      {(field) => <Input {...wiring} {...field} type="tel" inputMode="tel" autoComplete="off" maxLength={40} className="max-w-md" />}
    </Field>
    <Recents recents={recents} onChoose={onRecent} />
  </div>
);

interface Brand {
  value: string;
  label: string;
}

/** Returns the network that a typed number was given out by, and what to say about it beside the network that is chosen. */
export function guessOf(
  text: string,
  chosen: string | undefined,
  brands: readonly Brand[],
): { guess: string | undefined; hint: string | undefined } {
  const phone = typedPhone(text);
  const guess = phone && guessNetwork(phone);
  const nameOf = (network: string) => brands.find(({ value }) => value === network)?.label ?? network;
  if (!guess || !brands.some(({ value }) => value === guess)) return { guess: undefined, hint: undefined };
  if (chosen === undefined || chosen === guess) {
    return { guess, hint: "Guessed from the number. Change it if the number was moved to another network." };
  }
  return { guess, hint: `Numbers like this were given out by ${nameOf(guess)}. If it was moved to ${nameOf(chosen)}, go on.` };
}
