import { and, eq, isNotNull } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { lockCard, lockOperation } from "../rows.ts";
import { updateOperation } from "./finish.ts";

/**
 * Ends the re-checks of a failed operation, as decided by an operator who knows that the issuer will never execute it. The operation
 * stays `failed`. The reason goes to the audit. Returns false if there is no such operation, or none of its re-checks is left. Locks: card,
 * operation, head of the audit.
 */
export const stopRechecks = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, operationId: string, reason: string): Promise<boolean> => {
    const why = requireReason(reason);
    const [operation] = await db()
      .select()
      .from(cardOperations)
      .where(and(eq(cardOperations.id, operationId), isNotNull(cardOperations.recheckAt)));
    if (!operation) return false;
    const { merchantId, cardId } = operation;
    return transaction(async (tx) => {
      await lockCard(tx, merchantId, cardId);
      const locked = await lockOperation(tx, merchantId, operationId);
      // A re-check may have got an answer in the meantime.
      if (!locked?.recheckAt) return false;
      await updateOperation(tx, locked, { recheckAt: null });
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: "card_operation.rechecks_stopped", subject: operationId, reason: why },
        before: { recheckAt: locked.recheckAt.toISOString() },
        after: { recheckAt: null },
      });
      return true;
    });
  },
);
