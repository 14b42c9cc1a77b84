"use client";

import type { ComponentProps, FormEvent } from "react";
import { Input } from "./input.tsx";

const DIGITS = 6;

/** One field for a code of six digits, which a phone can fill in by itself. Script removes spaces from a pasted code; without it the browser asks for six digits. */
export function CodeField(props: Omit<ComponentProps<typeof Input>, "type" | "pattern">) {
  const keepDigits = (event: FormEvent<HTMLInputElement>) => {
    const field = event.currentTarget;
    const digits = field.value.replaceAll(/\D/g, "").slice(0, DIGITS);
    if (digits !== field.value) field.value = digits;
  };
  return (
    <Input
      {...props}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern={`[0-9]{${DIGITS}}`}
      title={`${DIGITS} digits`}
      onInput={keepDigits}
      className="max-w-48 text-center font-mono text-title tracking-[0.35em] sm:text-title"
    />
  );
}
