import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import type { Money } from "#lib/money.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { settleOperation } from "./settle-operation.ts";

/**
 * Settles an operation by the word of an operator, who has asked the issuer: the issuer never decides it, or says of it something that
 * cannot be. `taken` is the US dollars that an unload took, at most the amount that was asked for; null says that the issuer did not do the
 * operation. The reason goes to the audit first. Returns false where there is no such operation, or the word does not fit it.
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
  const said = taken === null ? "not done" : `${taken.minor} cents taken`;
  await noteInAudit(db(), ctx, { merchantId, action: "card_operation.settled", subject: `${operationId}: ${said}. ${why}` });
  const word =
    taken === null
      ? ({ status: "failed", reason: "The card issuer did not do it." } as const)
      : ({ status: "completed", providerReference: `operator:${operationId}`, issued: null, taken } as const);
  await settleOperation(operation, word, { isTurn: false });
  return true;
}
