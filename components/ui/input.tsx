import type { InputHTMLAttributes, Ref } from "react";
import { classes } from "./class-names.ts";

/** 16 px on a phone: with less, iOS zooms into the field. */
export const CONTROL =
  "min-h-11 w-full min-w-0 rounded-control border border-control bg-surface px-3 py-1.5 text-input text-ink placeholder:text-muted sm:min-h-9 sm:text-body " +
  "hover:border-ink disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger disabled:bg-ground [&[readonly]]:bg-ground";

interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  ref?: Ref<HTMLInputElement> | undefined;
}

/** One line of text. Takes the wiring of a `Field`. */
export function Input({ className, ...rest }: InputProps) {
  return <input {...rest} className={classes(CONTROL, className)} />;
}
