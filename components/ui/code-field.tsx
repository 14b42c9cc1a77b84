"use client";

import type { ComponentProps, FormEvent } from "react";
import { Input } from "./input.tsx";

interface CodeFieldProps extends Omit<ComponentProps<typeof Input>, "type" | "pattern"> {
  digits?: number;
}

/** One field for a code of digits, which a phone can fill in by itself. Script removes spaces from a pasted code; without it the browser asks for the digits. */
export function CodeField({ digits: count = 6, ...props }: CodeFieldProps) {
  const keepDigits = (event: FormEvent<HTMLInputElement>) => {
    const field = event.currentTarget;
    const digits = field.value.replaceAll(/\D/g, "").slice(0, count);
    if (digits !== field.value) field.value = digits;
  };
  return (
    <Input
      {...props}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern={`[0-9]{${count}}`}
      title={`${count} digits`}
      onInput={keepDigits}
      className="max-w-48 text-center font-mono text-title tracking-[0.35em] sm:text-title"
    />
  );
}
