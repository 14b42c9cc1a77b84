import { and, eq, isNotNull, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { cardOperations, cards } from "#db/schema/cards.ts";
import { type Money, money } from "#lib/money.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { findCardBalance } from "../ledger/index.ts";
import type { CardRow } from "./card.ts";
import { type CardOperation, type OperationRow, operationFromRow } from "./card-operation.ts";
import type { Obstacles } from "./state-machine.ts";

type CardKey = Pick<CardRow, "merchantId" | "id">;
export type OperationKey = Pick<OperationRow, "merchantId" | "id">;

const isCard = ({ merchantId, id }: CardKey) => and(eq(cards.merchantId, merchantId), eq(cards.id, id));

/** The condition that a row is this operation. */
export const isOperation = ({ merchantId, id }: OperationKey) => and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id));

/** Locks a card until the transaction ends. Returns undefined if the merchant has no such card. */
export async function findCardLocked(tx: Tx, merchantId: string, id: string): Promise<CardRow | undefined> {
  const [row] = await tx.select().from(cards).where(isCard({ merchantId, id })).for("update");
  return row;
}

/** As `findCardLocked`, for a card that is known to exist. Throws an Error if it does not. */
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

/** Reads the row of a known card again. Cards are never deleted, so a missing one throws an Error. */
export async function readCardAgain({ merchantId, id }: CardKey): Promise<CardRow> {
  const row = await findCardRow(merchantId, id);
  if (!row) throw new Error(`no card ${id} of ${merchantId}`);
  return row;
}

/** Returns the row of a card that a merchant names. Throws RESOURCE_NOT_FOUND. */
export async function getCardRow({ merchant }: MerchantContext, id: string): Promise<CardRow> {
  const row = await findCardRow(merchant.id, id);
  if (!row) throw notFound("card");
  return row;
}

/** Returns the US dollars that can be spent on a card; zero if it has no ledger account yet. */
export const balanceOf = async (tx: Tx | Database, { merchantId, id }: CardKey): Promise<Money> =>
  (await findCardBalance(tx, merchantId, id)) ?? money(0n, "USD");

/** Makes a card due for a sync with its issuer. */
export async function makeCardDue(tx: Tx | Database, card: CardKey): Promise<void> {
  await tx.update(cards).set({ nextSyncAt: sql`now()` }).where(isCard(card));
}

/** Returns the `processing` operations of a card. */
export async function processingOf(tx: Tx | Database, { merchantId, id }: CardKey): Promise<OperationRow[]> {
  return tx
    .select()
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.cardId, id), eq(cardOperations.status, "processing")));
}

/** Returns whether an operation of the card other than `operationId` is `processing`. */
export const isAnotherProcessing = async (tx: Tx | Database, card: CardKey, operationId: string): Promise<boolean> =>
  (await processingOf(tx, card)).some(({ id }) => id !== operationId);

/** Returns whether a termination of the card is `processing`. */
export const isEnding = async (tx: Tx | Database, card: CardKey): Promise<boolean> =>
  (await processingOf(tx, card)).some(({ type }) => type === "terminate");

/** Returns whether an operation of the card that failed here waits for a re-check: the issuer may have executed it. */
export async function awaitsRecheck(tx: Tx | Database, { merchantId, id }: CardKey, type?: OperationRow["type"]): Promise<boolean> {
  const rows = await tx
    .select({ id: cardOperations.id })
    .from(cardOperations)
    .where(
      and(
        eq(cardOperations.merchantId, merchantId),
        eq(cardOperations.cardId, id),
        isNotNull(cardOperations.recheckAt),
        type && eq(cardOperations.type, type),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Locks an operation until the transaction ends. The caller has locked its card. */
export async function lockOperation(tx: Tx, merchantId: string, id: string): Promise<OperationRow | undefined> {
  const [row] = await tx.select().from(cardOperations).where(isOperation({ merchantId, id })).for("update");
  return row;
}

export async function findOperation(merchantId: string, id: string): Promise<OperationRow | undefined> {
  const [row] = await db().select().from(cardOperations).where(isOperation({ merchantId, id }));
  return row;
}

/** Reads the row of a known operation again. Operations are never deleted, so a missing one throws an Error. */
export async function readOperationAgain(tx: Tx | Database, operation: OperationKey): Promise<OperationRow> {
  const [row] = await tx.select().from(cardOperations).where(isOperation(operation));
  if (!row) throw new Error(`no operation ${operation.id} of ${operation.merchantId}`);
  return row;
}

/** Returns the obstacles to an action on a card. A caller that acts on them has locked the card. */
export const obstaclesOf = async (tx: Tx | Database, card: CardRow): Promise<Obstacles> => ({
  isEnding: await isEnding(tx, card),
  isBlocked: card.blockedAt !== null,
});

/** Returns an operation with the current balance of its card. */
export const withCardBalance = async (row: OperationRow): Promise<CardOperation> =>
  operationFromRow(row, await balanceOf(db(), { merchantId: row.merchantId, id: row.cardId }));
