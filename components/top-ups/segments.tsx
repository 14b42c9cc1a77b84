import type { ReactNode } from "react";

interface SegmentsProps {
  label: string;
  name: string;
  choices: readonly { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A choice between a few options, side by side, each large enough for a thumb. */
export function Segments({ label, name, choices, value, onChange, hint, error }: SegmentsProps) {
  const describedBy = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(" ");
  return (
    <fieldset className="min-w-0" {...(describedBy && { "aria-describedby": describedBy })}>
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-control border border-control bg-surface px-3 py-1.5 hover:border-ink has-checked:border-brand has-checked:bg-selected has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand sm:min-h-9"
          >
            <input
              type="radio"
              required
              name={name}
              value={choice.value}
              checked={value === choice.value}
              onChange={() => onChange(choice.value)}
              {...(error && { "aria-invalid": true })}
              className="outline-none"
            />
            {choice.label}
          </label>
        ))}
      </div>
      {error && (
        <p id={`${name}-error`} className="mt-1 text-fact text-danger">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${name}-hint`} className="mt-1 text-fact text-muted">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
