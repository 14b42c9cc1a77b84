import { eq } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import type { Money } from "#lib/money.ts";
import { type ApprovedContext, NotCarriedOut } from "../../approval.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import { verb } from "../../verb.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import { lockCard, lockOperation, readOperationAgain } from "../rows.ts";
import { failUnlessExecuted, settleLocked } from "./settle.ts";

interface Decision {
  /** US dollars that an unload took, at most the requested amount; null: the issuer did not execute the operation. */
  taken: Money | null;
  reason: string;
  /** The state that the operators have seen (`readStateOfOperation`): an issuer may have decided since. Absent: any. */
  was?: string | undefined;
}

/** Returns the state of an operation that an operator decides about, in words. Undefined for an unknown one. */
export async function readStateOfOperation(id: string): Promise<string | undefined> {
  const [row] = await db().select().from(cardOperations).where(eq(cardOperations.id, id));
  return row && stateOf(row);
}

const stateOf = ({ status, recheckAt }: OperationRow): string => (recheckAt === null ? status : `${status}, re-checked`);

/**
 * Settles an operation as an operator says, who has asked the issuer: one that is `processing`, because the issuer never decides it or its
 * answer cannot be true, or an unload that failed here, is still re-checked, and took dollars. An operation that fails so is re-checked, as a
 * lost one is (`stopRechecks` ends that). The reason goes to the audit. Returns false if there is no such operation, or `taken` does not fit
 * it. Throws `NotCarriedOut` where `taken` is more than the issuer kept of an ended card. Locks: card, operation, ledger accounts, event counter, head of
 * the audit.
 */
export const settleByOperator = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, operationId: string, { taken, reason, was }: Decision): Promise<boolean> => {
    const why = requireReason(reason);
    const { tx } = ctx.approval;
    const [operation] = await tx.select().from(cardOperations).where(eq(cardOperations.id, operationId));
    if (!operation) return false;
    const { merchantId, type, amount } = operation;
    if (taken !== null && (type !== "unload" || taken.minor <= 0n || taken.minor > amount)) return false;
    const card = await lockCard(tx, merchantId, operation.cardId);
    const locked = await lockOperation(tx, merchantId, operationId);
    if (!locked || !isUndecided(locked, taken)) return false;
    if (was !== undefined && was !== stateOf(locked))
      throw new NotCarriedOut(`${operationId} is ${stateOf(locked)} by now, not ${was}. Look at it again.`);
    if (taken === null) await failUnlessExecuted(tx, card, locked, "The card issuer did not do it.");
    else await complete(tx, card, locked, taken);
    const settled = await readOperationAgain(tx, locked);
    if (taken !== null && settled.status !== "completed")
      throw new NotCarriedOut("Nothing was posted: the dollars that the issuer kept do not cover it, or went to the wallet already.");
    await noteInAudit(tx, ctx, {
      ...{ merchantId, action: "card_operation.settled", subject: operationId, reason: why },
      before: { status: locked.status },
      after: { outcome: taken === null ? "failed" : "completed", taken: taken && String(taken.minor) },
    });
    return true;
  },
);

/** Returns false for a failed operation without `taken`, because it has failed already and the decision changes nothing. */
const isUndecided = ({ status, recheckAt }: OperationRow, taken: Money | null): boolean =>
  status === "processing" || (taken !== null && recheckAt !== null);

const complete = (tx: Tx, card: CardRow, operation: OperationRow, taken: Money): Promise<void> =>
  settleLocked(tx, card, operation, {
    outcome: { status: "completed", providerReference: `operator:${operation.id}`, issued: null, taken },
    options: { countsAsAttempt: false },
  });
