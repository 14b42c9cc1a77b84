import type { InputHTMLAttributes, ReactNode, Ref } from "react";

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "type" | "className"> {
  label: ReactNode;
  hint?: ReactNode;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A box with its label. The whole line is its target. */
export function Checkbox({ label, hint, ...rest }: CheckboxProps) {
  return (
    <label className="flex min-h-11 items-center gap-2.5 py-1.5 has-disabled:opacity-60 sm:min-h-9">
      <input type="checkbox" {...rest} className="size-[1.125rem] shrink-0 accent-brand" />
      <span className="min-w-0 wrap-anywhere">
        {label}
        {hint && <span className="block text-fact text-muted">{hint}</span>}
      </span>
    </label>
  );
}
