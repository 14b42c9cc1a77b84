"use client";

import type { ComponentProps } from "react";
import { Input } from "#components/ui/input.tsx";
import { formatMoney, money } from "#lib/money.ts";
import { nairaTyped } from "#lib/naira-typed.ts";

interface NairaInputProps extends Omit<ComponentProps<typeof Input>, "min" | "max" | "type"> {
  /** In Naira. */
  min: number;
  max: number;
}

const nairaOf = (major: number) => money(BigInt(Math.round(major * 100)), "NGN");

/** An amount of Naira. Takes the sign, commas and spaces of a pasted amount, which a number field would refuse. */
export function NairaInput({ min, max, onInput, ...rest }: NairaInputProps) {
  const [least, most] = [nairaOf(min), nairaOf(max)];
  const check = (input: HTMLInputElement | null) => input?.setCustomValidity(problemWith(input.value));
  const problemWith = (text: string): string => {
    if (text.trim() === "") return "";
    const typed = nairaTyped(text);
    if (!typed) return "Enter an amount such as 5,000 or 5,000.50.";
    return typed.minor < least.minor || typed.minor > most.minor ? `Enter ${formatMoney(least)} to ${formatMoney(most)}.` : "";
  };
  return (
    <span className="relative block">
      <span aria-hidden="true" className="absolute inset-y-0 left-3 grid place-items-center text-muted">
        ₦
      </span>
      <Input
        {...rest}
        ref={check}
        inputMode="decimal"
        autoComplete="off"
        maxLength={24}
        className="pl-8 tabular-nums"
        onInput={(event) => {
          check(event.currentTarget);
          onInput?.(event);
        }}
      />
    </span>
  );
}
