import { invalid } from "#lib/problem.ts";
import { UNPRINTABLE } from "./audit/index.ts";
import type { Final, SentStatus } from "./money-out.ts";

/** What a bank told an operator about a payout or refund. */
export interface BanksWord {
  /** The state that the operator has seen: the bank may have decided meanwhile. */
  was: SentStatus;
  outcome: Final["status"];
  /** Where the bank's word can be found. */
  evidence: string;
  reason: string;
}

const MAX_EVIDENCE = 200;

/** Returns the evidence in the form that the audit stores: at most 200 characters. Throws VALIDATION_ERROR if the text is blank. */
export function requireEvidence(evidence: string): string {
  const proof = evidence.trim().slice(0, MAX_EVIDENCE);
  if (proof === "") throw invalid("evidence", "Say where the bank's word can be found.");
  if (UNPRINTABLE.test(proof)) throw invalid("evidence", "Write one line, without control characters.");
  return proof;
}

/** Returns the outcome that an operator's word stands for. `recipient`: whose bank sends money back. */
export function finalByOperator(
  outcome: Final["status"],
  { sessionId }: { sessionId: string | null },
  recipient: "payee" | "payer",
): Final {
  if (outcome === "paid") return { status: "paid", sessionId };
  return { status: outcome, reason: outcome === "failed" ? "The bank did not pay it." : `The ${recipient}'s bank sent it back.` };
}
