"use client";

import { type ComponentProps, useState } from "react";
import { Input } from "./input.tsx";

/** A password with a button that shows it. Without script it is a plain field, and the button is not there. */
export function PasswordInput(props: Omit<ComponentProps<typeof Input>, "type">) {
  const [shown, setShown] = useState(false);
  return (
    <span className="relative block">
      <Input spellCheck={false} autoCapitalize="none" {...props} type={shown ? "text" : "password"} className="pr-16" />
      <button
        type="button"
        aria-pressed={shown}
        aria-label="Show password"
        onClick={() => setShown(!shown)}
        className="needs-js absolute inset-y-0 right-0 min-w-14 rounded-control px-2 text-fact font-medium text-muted hover:text-ink"
      >
        {shown ? "Hide" : "Show"}
      </button>
    </span>
  );
}
