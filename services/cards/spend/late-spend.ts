import { and, eq, gte, inArray, ne } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import { balanceOf } from "../rows.ts";

// Spend of a terminated card, or of one whose termination has no answer yet, that is not settled with the wallet.

/** Spend that awaits passing on. */
export interface LateSpend {
  id: string;
  /** US cents by which it changed the card's balance. */
  change: bigint;
  isExpired: boolean;
}

/** US cents that late spend added to a card (`surplus`), and, below zero, that it took off the card (`deficit`). */
export interface Sums {
  surplus: bigint;
  deficit: bigint;
}

const isLate = ({ merchantId, id }: CardRow) =>
  and(eq(cardTransactions.merchantId, merchantId), eq(cardTransactions.cardId, id), eq(cardTransactions.awaitsPassingOn, true));

/** Returns the late spend of a card, newest first. */
export async function lateSpend(tx: Tx, card: CardRow): Promise<LateSpend[]> {
  const rows = await tx.select().from(cardTransactions).where(isLate(card));
  return rows
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .map(({ id, type, change }) => ({ id, change, isExpired: type === "AUTHORIZATION" && change > 0n }));
}

export const sumsOf = (late: LateSpend[]): Sums => ({
  surplus: late.reduce((sum, { change }) => (change > 0n ? sum + change : sum), 0n),
  deficit: late.reduce((sum, { change }) => (change < 0n ? sum + change : sum), 0n),
});

/** Returns the US cents that are on a terminated card for another reason than late spend; below zero, the cents that it lacks. */
export async function otherOnCard(tx: Tx, card: CardRow): Promise<bigint> {
  const { surplus, deficit } = sumsOf(await lateSpend(tx, card));
  return (await balanceOf(tx, card)).minor - surplus - deficit;
}

/** Unmarks late spend after a termination has failed: the card stays open, so its spend is not late. */
export async function forgetLateSpend(tx: Tx, card: CardRow): Promise<void> {
  await tx.update(cardTransactions).set({ awaitsPassingOn: false }).where(isLate(card));
}

/** Marks the spend recorded since the request for a termination that had failed here and was completed after all. */
export async function rememberLateSpend(tx: Tx, card: CardRow, { createdAt }: OperationRow): Promise<void> {
  const { merchantId, cardId, createdAt: recordedAt, change } = cardTransactions;
  await tx
    .update(cardTransactions)
    .set({ awaitsPassingOn: true })
    .where(and(eq(merchantId, card.merchantId), eq(cardId, card.id), gte(recordedAt, createdAt), ne(change, 0n)));
}

export async function markPassedOn(tx: Tx, card: CardRow, late: LateSpend[]): Promise<void> {
  const ids = late.map(({ id }) => id);
  if (ids.length > 0)
    await tx
      .update(cardTransactions)
      .set({ awaitsPassingOn: false })
      .where(and(isLate(card), inArray(cardTransactions.id, ids)));
}
