import { invalid } from "#lib/problem.ts";

/** An operator says why, for the audit. Throws VALIDATION_ERROR for a reason that says nothing. */
export function requireReason(reason: string): string {
  const text = reason.trim();
  if (text === "") throw invalid("reason", 'Say what you found, like "The issuer confirmed it by email."');
  return text;
}
