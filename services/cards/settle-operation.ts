import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import type { OperationOutcome } from "#providers/issuer.ts";
import { blockCard } from "./block-card.ts";
import type { CardRow } from "./card.ts";
import type { OperationRow } from "./card-operation.ts";
import { type Completed, completeOperation, tellOfCorrection } from "./complete-operation.ts";
import { failOperation, nameCard } from "./end-operation.ts";
import { lockCard, processingOf } from "./rows.ts";
import { lookAgainAfter, waitAfter } from "./schedule.ts";

/** The issuer does not list it, though it would by now. `askedAt` is what the row said before the issuer was read: the fencing token. */
interface Lost {
  status: "lost";
  askedAt: Date | null;
}

/** Why an operation is looked at: because it is its turn, or because of a hint, which delays no turn. */
export interface Look {
  isTurn: boolean;
}

/**
 * Settles an operation by the issuer's word: card, wallet, ledger and event change together, once, however often the word comes. Pending
 * and unknown change nothing but the time of the next look, and only at a turn. An operation that has failed and is said to be completed
 * is corrected. Locks: card, operation, ledger accounts, event counter.
 */
export async function settleOperation(
  { merchantId, cardId, id }: Pick<OperationRow, "merchantId" | "cardId" | "id">,
  word: OperationOutcome | Lost,
  look: Look,
): Promise<void> {
  await transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, cardId);
    const [operation] = await tx
      .select()
      .from(cardOperations)
      .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)))
      .for("update");
    if (operation?.status === "failed" && word.status === "completed") return correct(tx, card, operation, word);
    // The answer of a call that was still under way when it was given up: the issuer may do it yet.
    const isUndecided = word.status === "pending" || word.status === "unknown";
    if (operation?.status === "failed" && isUndecided && operation.askedAt !== null) return lookAgainSoon(tx, operation);
    if (operation?.status !== "processing") return;
    await settle(tx, card, operation, { word, look });
  });
}

async function settle(
  tx: Tx,
  card: CardRow,
  operation: OperationRow,
  { word, look }: { word: OperationOutcome | Lost; look: Look },
): Promise<void> {
  switch (word.status) {
    case "completed":
      if (await completeOperation(tx, card, operation, word)) return;
      break;
    case "failed":
      return failOperation(tx, card, operation, { failureReason: word.reason });
    case "lost":
      if (operation.askedAt?.getTime() === word.askedAt?.getTime()) return lose(tx, card, operation);
      break;
    case "pending":
      await nameOperation(tx, card, operation, word.providerReference);
  }
  if (look.isTurn) await waitForNextTurn(tx, operation);
}

/** A notice may name an operation by the issuer's own name for it. */
async function nameOperation(tx: Tx, card: CardRow, operation: OperationRow, providerReference: string | null): Promise<void> {
  if (providerReference === null || operation.providerReference !== null) return;
  await nameCard(tx, card, providerReference);
  await tx
    .update(cardOperations)
    .set({ providerReference })
    .where(and(eq(cardOperations.merchantId, operation.merchantId), eq(cardOperations.id, operation.id)));
}

async function waitForNextTurn(tx: Tx, { merchantId, id, attempts }: OperationRow): Promise<void> {
  await tx
    .update(cardOperations)
    .set({ attempts: attempts + 1, nextAttemptAt: sql`now() + ${waitAfter(attempts)} * interval '1 ms'` })
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
}

/** The change of status keeps a process that has not asked yet from asking. One that has is looked at again. */
async function lose(tx: Tx, card: CardRow, operation: OperationRow): Promise<void> {
  const lookAgainAt = operation.askedAt === null ? null : sql`now() + ${lookAgainAfter(0)} * interval '1 ms'`;
  await failOperation(tx, card, operation, { failureReason: "The card issuer never received it.", attempts: 0, lookAgainAt });
}

/**
 * An issuer did what seemed to have failed: its word is posted at once, and the card stands still until an operator has looked into it.
 * What the wallet cannot cover is owed. A termination waits for what else is processing, as ever, and is looked at again.
 */
async function correct(tx: Tx, card: CardRow, operation: OperationRow, word: Completed): Promise<void> {
  const { type, reference } = operation;
  const isEnded = type === "terminate" && card.status === "TERMINATED";
  if (type === "issue" || isEnded) return tellOfCorrection(tx, card, operation);
  if (type === "terminate" && (await processingOf(tx, card)).length > 0) return lookAgainSoon(tx, operation);
  if (card.status === "PENDING" || card.status === "FAILED")
    throw new Error(`operation ${operation.id} is of a card that was never issued`);
  await completeOperation(tx, card, operation, word);
  await blockCard(tx, card, `The issuer completed ${type} ${reference} after it had failed here.`);
}

async function lookAgainSoon(tx: Tx, { merchantId, id, attempts }: OperationRow): Promise<void> {
  // Once more, also where that was the last look.
  const looks = attempts > 0 ? attempts - 1 : 0;
  await tx
    .update(cardOperations)
    .set({ attempts: looks, lookAgainAt: sql`now() + ${lookAgainAfter(0)} * interval '1 ms'` })
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
}
