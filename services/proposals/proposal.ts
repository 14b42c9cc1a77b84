import type { proposals } from "#db/schema/operators.ts";
import { HOUR_MS } from "#lib/time.ts";
import { textOf } from "./kinds.ts";

export type ProposalRow = typeof proposals.$inferSelect;

/** With one operator, a proposal is carried out after so long, and until then it can be cancelled. A CHECK says so too. */
export const RUNS_ALONE_AFTER_MS = 24 * HOUR_MS;

/** An act that one operator has proposed. */
export interface Proposal {
  id: string;
  kind: string;
  /** What is to be done, in words. */
  text: string;
  /** The merchant that it is about; for acts about operators the platform's own. */
  merchantId: string;
  reason: string;
  /** The id of the user who proposed it. */
  proposedBy: string;
  createdAt: Date;
  /** From then on it cannot be decided any more. */
  expiresAt: Date;
  state: ProposalRow["state"];
  decidedBy: string | null;
  decidedAt: Date | null;
  /** Why it was refused or cancelled. */
  decisionReason: string | null;
  /** It was carried out after its wait, without a second person. */
  isAlone: boolean;
}

export const proposalFromRow = ({ sealedSecrets: _, subject: __, payload, ...row }: ProposalRow): Proposal => ({
  ...row,
  text: textOf(row.kind, payload),
});
