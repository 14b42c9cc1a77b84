import { and, eq } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import type { Money } from "#lib/money.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { lockCard, lockOperation } from "./rows.ts";
import { settleProcessing } from "./settle-operation.ts";

/**
 * Settles a `processing` operation as an operator says, who has asked the issuer: for an operation that the issuer never decides, or whose
 * answer cannot be true. `taken` is the US dollars that an unload took, at most the requested amount; null fails the operation. The reason goes
 * to the audit with it. Returns false if there is no such operation, or `taken` does not fit it.
 */
export async function settleByOperator(
  ctx: OperatorContext,
  operationId: string,
  { taken, reason }: { taken: Money | null; reason: string },
): Promise<boolean> {
  const why = requireReason(reason);
  const [operation] = await db()
    .select()
    .from(cardOperations)
    .where(and(eq(cardOperations.id, operationId), eq(cardOperations.status, "processing")));
  if (!operation) return false;
  const { merchantId, type, amount } = operation;
  if (taken !== null && (type !== "unload" || taken.minor <= 0n || taken.minor > amount)) return false;
  const outcome =
    taken === null
      ? ({ status: "failed", reason: "The card issuer did not do it." } as const)
      : ({ status: "completed", providerReference: `operator:${operationId}`, issued: null, taken } as const);
  return transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, operation.cardId);
    const locked = await lockOperation(tx, merchantId, operationId);
    // The worker may have settled it meanwhile.
    if (locked?.status !== "processing") return false;
    await settleProcessing(tx, card, locked, { outcome, options: { countsAsAttempt: false } });
    await noteInAudit(tx, ctx, {
      ...{ merchantId, action: "card_operation.settled", subject: operationId, reason: why },
      ...{ before: { status: locked.status }, after: { outcome: outcome.status, taken: taken && String(taken.minor) } },
    });
    return true;
  });
}
