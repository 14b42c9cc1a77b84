import { and, eq, isNotNull, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { cardOperations, cards } from "#db/schema/cards.ts";
import { type Money, money } from "#lib/money.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { findCardBalance } from "../ledger/index.ts";
import type { CardRow } from "./card.ts";
import type { OperationRow } from "./card-operation.ts";

type CardName = Pick<CardRow, "merchantId" | "id">;

const isCard = ({ merchantId, id }: CardName) => and(eq(cards.merchantId, merchantId), eq(cards.id, id));

/** Locks a card until the transaction ends. */
export async function findCardLocked(tx: Tx, merchantId: string, id: string): Promise<CardRow | undefined> {
  const [row] = await tx.select().from(cards).where(isCard({ merchantId, id })).for("update");
  return row;
}

/** As `findCardLocked`, for a card that must be there. */
export async function lockCard(tx: Tx, merchantId: string, id: string): Promise<CardRow> {
  const row = await findCardLocked(tx, merchantId, id);
  if (!row) throw new Error(`no card ${id} of ${merchantId}`);
  return row;
}

/** As `findCardLocked`, for a card that a merchant names. Throws RESOURCE_NOT_FOUND. */
export async function lockNamedCard(tx: Tx, { merchant }: MerchantContext, id: string): Promise<CardRow> {
  const row = await findCardLocked(tx, merchant.id, id);
  if (!row) throw notFound("card");
  return row;
}

export async function findCardRow(merchantId: string, id: string): Promise<CardRow | undefined> {
  const [row] = await db().select().from(cards).where(isCard({ merchantId, id }));
  return row;
}

/** Returns a card as it is now. Cards are never deleted. */
export async function readCardAgain({ merchantId, id }: CardName): Promise<CardRow> {
  const row = await findCardRow(merchantId, id);
  if (!row) throw new Error(`no card ${id} of ${merchantId}`);
  return row;
}

/** The row of a card that a merchant names. Throws RESOURCE_NOT_FOUND. */
export async function getCardRow({ merchant }: MerchantContext, id: string): Promise<CardRow> {
  const row = await findCardRow(merchant.id, id);
  if (!row) throw notFound("card");
  return row;
}

/** Returns the US dollars that can be spent on a card; none where it has no ledger account yet. */
export const balanceOf = async (tx: Tx | Database, { merchantId, id }: CardName): Promise<Money> =>
  (await findCardBalance(tx, merchantId, id)) ?? money(0n, "USD");

/** Makes a card due for reading from its issuer. */
export async function makeCardDue(tx: Tx | Database, card: CardName): Promise<void> {
  await tx.update(cards).set({ nextSyncAt: sql`now()` }).where(isCard(card));
}

/** The operations of a card that are processing. */
export async function processingOf(tx: Tx | Database, { merchantId, id }: CardName): Promise<OperationRow[]> {
  return tx
    .select()
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.cardId, id), eq(cardOperations.status, "processing")));
}

/** Whether an operation of the card, apart from one, is processing. */
export const isAnotherProcessing = async (tx: Tx | Database, card: CardName, operationId: string): Promise<boolean> =>
  (await processingOf(tx, card)).some(({ id }) => id !== operationId);

/** Whether the issuer was asked to terminate the card and has not answered yet. */
export const isEnding = async (tx: Tx, card: CardName): Promise<boolean> =>
  (await processingOf(tx, card)).some(({ type }) => type === "terminate");

/** Whether a lost operation of the card may still turn out to have been done. */
export async function isLookedAtAgain(tx: Tx | Database, { merchantId, id }: CardName): Promise<boolean> {
  const rows = await tx
    .select({ id: cardOperations.id })
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.cardId, id), isNotNull(cardOperations.lookAgainAt)))
    .limit(1);
  return rows.length > 0;
}

export async function findOperation(merchantId: string, id: string): Promise<OperationRow | undefined> {
  const [row] = await db()
    .select()
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
  return row;
}
