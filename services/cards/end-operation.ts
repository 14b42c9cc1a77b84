import { and, eq, ne, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { cardOperations, cards, issuerReferences } from "#db/schema/cards.ts";
import { appendEvent } from "../events/index.ts";
import { mustPost, type Transfer } from "../ledger/index.ts";
import { type CardRow, cardFromRow } from "./card.ts";
import { type OperationRow, operationFromRow } from "./card-operation.ts";
import { release } from "./operations/journal.ts";
import { presentCard, presentOperation } from "./present.ts";
import { balanceOf, isOperation, lockCard, makeCardDue, type OperationKey, readOperationAgain } from "./rows.ts";
import { forgetLateSpend } from "./spend/late-spend.ts";

export type Changes = Parameters<ReturnType<Tx["update"]>["set"]>[0];

/** Makes an operation final, and makes due what waited for it: a termination of the card, or the sync of a terminated card. */
export async function finishOperation(tx: Tx, card: CardRow, operation: OperationRow, changes: Changes): Promise<void> {
  const isCorrection = operation.status === "failed";
  await updateOperation(tx, operation, {
    completedAt: sql`now()`,
    nextAttemptAt: null,
    ...(isCorrection && { correctedAt: sql`now()`, failureReason: null, recheckAt: null }),
    ...changes,
  });
  await tx
    .update(cardOperations)
    .set({ nextAttemptAt: sql`now()` })
    .where(
      and(
        eq(cardOperations.merchantId, card.merchantId),
        eq(cardOperations.cardId, card.id),
        eq(cardOperations.type, "terminate"),
        eq(cardOperations.status, "processing"),
        ne(cardOperations.id, operation.id),
      ),
    );
  if (card.status === "TERMINATED") await makeCardDue(tx, card);
}

export async function failOperation(tx: Tx, card: CardRow, operation: OperationRow, changes: Changes): Promise<void> {
  await finishOperation(tx, card, operation, { ...changes, status: "failed" });
  await postAll(tx, card, release(operation));
  if (operation.type === "terminate") await forgetLateSpend(tx, card);
  if (operation.type !== "issue") return;
  await updateCard(tx, card, { status: "FAILED", nextSyncAt: null });
  await appendCardEvent(tx, card, "card.failed");
}

export async function updateOperation(tx: Tx, operation: OperationKey, changes: Changes): Promise<void> {
  await tx.update(cardOperations).set(changes).where(isOperation(operation));
}

export async function updateCard(tx: Tx, { merchantId, id }: CardRow, changes: Changes): Promise<void> {
  await tx
    .update(cards)
    .set(changes)
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id)));
}

export async function postAll(tx: Tx, { merchantId }: CardRow, transfers: Transfer[]): Promise<void> {
  if (transfers.length > 0) await mustPost(tx, merchantId, transfers);
}

type CardEvent = "card.issued" | "card.failed" | "card.frozen" | "card.unfrozen" | "card.terminated";

export async function appendCardEvent(tx: Tx, { merchantId, id }: CardRow, type: CardEvent): Promise<void> {
  const card = await lockCard(tx, merchantId, id);
  await appendEvent(tx, merchantId, type, presentCard(cardFromRow(card, await balanceOf(tx, card))));
}

export async function appendOperationEvent(tx: Tx, operation: OperationRow, type: "card.funded" | "card.unloaded"): Promise<void> {
  const { merchantId, cardId: id } = operation;
  const settled = operationFromRow(await readOperationAgain(tx, operation), await balanceOf(tx, { merchantId, id }));
  await appendEvent(tx, merchantId, type, presentOperation(settled));
}

/** Stores an issuer's reference for a card or for one of its operations. Throws an Error if the reference belongs to another card. */
export async function storeIssuerReference(tx: Tx, { provider, merchantId, id }: CardRow, reference: string): Promise<void> {
  const name = { provider, reference, merchantId, subject: "card" as const, subjectId: id };
  const [entered] = await tx.insert(issuerReferences).values(name).onConflictDoNothing().returning();
  if (entered) return;
  const [known] = await tx
    .select()
    .from(issuerReferences)
    .where(and(eq(issuerReferences.provider, provider), eq(issuerReferences.reference, reference)));
  if (known?.merchantId !== merchantId || known.subjectId !== id) throw new Error(`the issuer gave card ${id} the name of another`);
}
