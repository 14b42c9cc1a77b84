/** What a form says when its page is shown again: what was typed, and what is wrong with it. */
export interface FormSays {
  values: Readonly<Record<string, string>>;
  /** By field; under "" what is about no field. */
  errors: Readonly<Record<string, string>>;
  notice?: { kind: "info" | "success" | "warning" | "danger"; text: string } | undefined;
}

/** Returns the field that gets the focus when the page opens: the first that is wrong, otherwise the first. */
export function focusOf(fields: readonly string[], { errors, notice }: FormSays): string | undefined {
  const wrong = fields.find((field) => errors[field] !== undefined);
  if (wrong !== undefined) return wrong;
  return notice || errors[""] !== undefined ? undefined : fields[0];
}
