import { invalid } from "#lib/problem.ts";

/** Returns an operator's reason for the audit, trimmed. Throws VALIDATION_ERROR for an empty one. */
export function requireReason(reason: string): string {
  const text = reason.trim();
  if (text === "") throw invalid("reason", 'Say what you found, like "The issuer confirmed it by email."');
  return text;
}
