import { sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import { madeBy, type OperatorContext } from "../../context.ts";
import { modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";

export interface DifferenceKey {
  provider: string;
  /** `2026-11-28`, in Lagos. */
  day: string;
  sessionId: string;
  direction: "in" | "out";
}

/**
 * Explains an open difference, so that it is not open any more. Moves no money. The explanation goes to the audit too.
 * Returns false if none is open. Throws VALIDATION_ERROR for an empty explanation.
 */
export const explainDifference = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, { provider, day, sessionId, direction }: DifferenceKey, explanation: string): Promise<boolean> => {
    const why = requireReason(explanation);
    return transaction(async (tx) => {
      const explained = await tx.execute(sql`
        update statement_differences set explanation = ${why}, explained_by = ${madeBy(ctx)}, explained_at = now()
        where provider = ${provider} and to_char(day, 'YYYY-MM-DD') = ${day} and session_id = ${sessionId} and direction = ${direction} and explained_at is null returning 1`);
      if (explained.length === 0) return false;
      await noteInAudit(tx, ctx, {
        ...{
          merchantId: `mer_platform_${modeOf(provider)}`,
          action: "bank_statement.explained",
          subject: `${provider} ${day} ${sessionId} ${direction}`,
        },
        ...{ reason: why, before: { open: true }, after: { open: false } },
      });
      return true;
    });
  },
);
