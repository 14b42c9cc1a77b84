import { invalid } from "#lib/problem.ts";

/** A terminal obeys control characters, so a text with them could show another operator something else than it says. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Twenty digits, also in groups: the token of a meter. */
export const HAS_A_TOKEN = /(?:\d[\s-]?){20}/;

/** Returns an operator's reason for the audit, trimmed. Throws VALIDATION_ERROR for an empty one, for one of several lines, and for one with a token. */
export function requireReason(reason: string): string {
  const text = reason.trim();
  if (text === "") throw invalid("reason", 'Say what you found, like "The issuer confirmed it by email."');
  if (UNPRINTABLE.test(text)) throw invalid("reason", "Write one line, without control characters.");
  if (HAS_A_TOKEN.test(text)) throw invalid("reason", "Write no token here: it goes to the audit.");
  return text;
}
