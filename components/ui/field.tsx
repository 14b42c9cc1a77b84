import type { ReactNode } from "react";

/** The props that a control gets from its field, so that screen readers read the label, hint and error with it. */
export interface FieldWiring {
  id: string;
  name: string;
  required?: true;
  "aria-describedby"?: string;
  "aria-invalid"?: true;
}

interface FieldProps {
  label: ReactNode;
  /** The name in the form. It is the control's id, too, unless `id` is given: two forms of a page may have the same names. */
  name: string;
  id?: string | undefined;
  hint?: ReactNode;
  error?: ReactNode;
  /** Most fields must be filled in, so the label marks the others. */
  optional?: boolean | undefined;
  /** Beside the label, right: "Forgot it?". */
  aside?: ReactNode;
  children: (wiring: FieldWiring) => ReactNode;
}

/** A label, a control, a hint and an error: `<Field label="Email" name="email">{(wiring) => <Input type="email" {...wiring} />}</Field>`. */
export function Field({ label, name, id = name, hint, error, optional = false, aside, children }: FieldProps) {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(" ");
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium">
          {label}
          {optional && <span className="font-normal text-muted"> (optional)</span>}
        </label>
        {aside && <span className="text-fact">{aside}</span>}
      </div>
      {children({
        id,
        name,
        ...(!optional && { required: true }),
        ...(describedBy && { "aria-describedby": describedBy }),
        ...(error && { "aria-invalid": true }),
      })}
      {error && (
        <p id={errorId} className="flex gap-1.5 text-fact text-danger">
          <span aria-hidden="true" className="font-semibold">
            !
          </span>
          <span className="min-w-0 wrap-anywhere">{error}</span>
        </p>
      )}
      {hint && (
        <p id={hintId} className="text-fact text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
