import type { ReactNode, Ref, SelectHTMLAttributes } from "react";
import { classes } from "./class-names.ts";
import { CONTROL } from "./input.tsx";

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  children: ReactNode;
  ref?: Ref<HTMLSelectElement> | undefined;
}

/** The device's own list of choices, which a phone shows best. Takes `<option>`s and the wiring of a `Field`. */
export function Select({ className, children, ...rest }: SelectProps) {
  return (
    <span className="relative block">
      <select {...rest} className={classes(CONTROL, "appearance-none truncate pr-9", className)}>
        {children}
      </select>
      <svg
        aria-hidden="true"
        viewBox="0 0 16 16"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      >
        <path d="m4 6 4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
      </svg>
    </span>
  );
}
