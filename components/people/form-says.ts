/** The state of a form whose page is shown again: the typed values and the error messages. */
export interface FormSays {
  values: Readonly<Record<string, string>>;
  /** Messages by field. The key "" has the message that belongs to no field. */
  errors: Readonly<Record<string, string>>;
  notice?: { kind: "info" | "success" | "warning" | "danger"; text: string } | undefined;
}

/** Returns the field that gets the focus when the page opens: the first that is wrong, otherwise the first. */
export function focusOf(fields: readonly string[], { errors, notice }: FormSays): string | undefined {
  const wrong = fields.find((field) => errors[field] !== undefined);
  if (wrong !== undefined) return wrong;
  return notice || errors[""] !== undefined ? undefined : fields[0];
}
