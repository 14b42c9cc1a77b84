import { and, eq, isNotNull, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { cardOperations, cards } from "#db/schema/cards.ts";
import { money } from "#lib/money.ts";
import { findCardBalance } from "../ledger/index.ts";
import type { Card, CardOperation, CardRow, OperationRow } from "./card.ts";

/** Nobody else changes the card, or what it holds, until the transaction ends. */
export async function findCardLocked(tx: Tx, merchantId: string, id: string): Promise<CardRow | undefined> {
  const [row] = await tx
    .select()
    .from(cards)
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id)))
    .for("update");
  return row;
}

/** As `findCardLocked`, for a card that must be there. */
export async function lockCard(tx: Tx, merchantId: string, id: string): Promise<CardRow> {
  const row = await findCardLocked(tx, merchantId, id);
  if (!row) throw new Error(`no card ${id} of ${merchantId}`);
  return row;
}

export async function findCardRow(merchantId: string, id: string): Promise<CardRow | undefined> {
  const [row] = await db()
    .select()
    .from(cards)
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id)));
  return row;
}

/** Has a card read from its issuer again at once. */
export async function makeCardDue(tx: Tx | Database, { merchantId, id }: Pick<CardRow, "merchantId" | "id">): Promise<void> {
  await tx
    .update(cards)
    .set({ nextSyncAt: sql`now()` })
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id)));
}

/** The operations of a card that are processing. */
export async function processingOf(tx: Tx | Database, { merchantId, id }: Pick<CardRow, "merchantId" | "id">): Promise<OperationRow[]> {
  return tx
    .select()
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.cardId, id), eq(cardOperations.status, "processing")));
}

/** Whether the issuer was asked to terminate the card and has not answered yet. */
export const isEnding = async (tx: Tx, card: CardRow): Promise<boolean> =>
  (await processingOf(tx, card)).some(({ type }) => type === "terminate");

/** Whether a lost operation of the card may still turn out to have been done. */
export async function isLookedAtAgain(tx: Tx | Database, { merchantId, id }: Pick<CardRow, "merchantId" | "id">): Promise<boolean> {
  const rows = await tx
    .select({ id: cardOperations.id })
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.cardId, id), isNotNull(cardOperations.lookAgainAt)))
    .limit(1);
  return rows.length > 0;
}

export async function withBalance(tx: Tx | Database, row: CardRow): Promise<Card> {
  return { ...row, balance: (await findCardBalance(tx, row.merchantId, row.id)) ?? money(0n, "USD") };
}

export async function findOperation(merchantId: string, id: string): Promise<OperationRow | undefined> {
  const [row] = await db()
    .select()
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
  return row;
}

export async function withCardBalance(tx: Tx | Database, row: OperationRow): Promise<CardOperation> {
  return { ...row, cardBalance: (await findCardBalance(tx, row.merchantId, row.cardId)) ?? money(0n, "USD") };
}
