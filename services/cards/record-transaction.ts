import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardTransactions } from "#db/schema/cards.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import type { SpendTransaction } from "#providers/issuer.ts";
import { appendEvent } from "../events/index.ts";
import { mustPost } from "../ledger/index.ts";
import type { CardRow, TransactionRow } from "./card.ts";
import { isEnding, lockCard } from "./rows.ts";
import { presentTransaction } from "./schemas.ts";
import { effectOf, keyOf, type Open } from "./spend-effect.ts";

/**
 * Records one of a card's transactions, once: row, ledger and event together. It moves the card's own account and never the wallet;
 * what a card that is at an end has to pass on to it is seen when all is recorded (`passOnWhatIsLeft`). False when it was known.
 * Locks: card, ledger accounts, event counter.
 */
export async function recordTransaction({ merchantId, id }: CardRow, spend: SpendTransaction): Promise<boolean> {
  return transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, id);
    if (await findByReference(tx, card, spend.transactionReference)) return false;
    const followed = spend.relatedReference === null ? undefined : await findByReference(tx, card, spend.relatedReference);
    const row = await store(tx, card, spend, followed);
    const target = await whatItResolves(tx, row, followed);
    const reversed = row.type === "REVERSAL" && target ? await reversedOf(tx, target, row) : 0n;
    const effect = effectOf(row, target && { row: target, reversed });
    if (effect.ignored > 0n) {
      log().error(
        { cardId: id, transactionId: row.id, cents: effect.ignored },
        "more was reversed than was open; what is beyond moves nothing",
      );
    }
    if (effect.transfers.length > 0) await mustPost(tx, merchantId, effect.transfers);
    // What moved nothing explains nothing.
    else if (row.awaitsPassingOn) await tx.update(cardTransactions).set({ awaitsPassingOn: false }).where(isOf(row));
    if (effect.open) await keepOpen(tx, effect.open);
    await appendEvent(tx, merchantId, "card.transaction", presentTransaction(row));
    return true;
  });
}

async function findByReference(tx: Tx, { merchantId, id }: CardRow, reference: string): Promise<TransactionRow | undefined> {
  const [row] = await tx
    .select()
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.merchantId, merchantId),
        eq(cardTransactions.cardId, id),
        eq(cardTransactions.providerTransactionId, reference),
      ),
    );
  return row;
}

export const isOf = ({ merchantId, cardId, id }: Pick<TransactionRow, "merchantId" | "cardId" | "id">) =>
  and(eq(cardTransactions.merchantId, merchantId), eq(cardTransactions.cardId, cardId), eq(cardTransactions.id, id));

/** A clearing that follows a clearing belongs to the authorization of that one. */
async function whatItResolves(tx: Tx, row: TransactionRow, followed: TransactionRow | undefined): Promise<TransactionRow | undefined> {
  let found = followed;
  while (row.type === "CLEARING" && found?.type === "CLEARING" && found.relatedTransactionId !== null) {
    [found] = await tx
      .select()
      .from(cardTransactions)
      .where(isOf({ ...found, id: found.relatedTransactionId }));
  }
  return found;
}

/** Cents that a card's transactions come to which fit all conditions. */
async function sumOf(tx: Tx, { merchantId, id }: Pick<CardRow, "merchantId" | "id">, ...conditions: SQL[]): Promise<bigint> {
  const [sum] = await tx
    .select({ cents: sql<string>`coalesce(sum(${cardTransactions.amount}), 0)` })
    .from(cardTransactions)
    .where(and(eq(cardTransactions.merchantId, merchantId), eq(cardTransactions.cardId, id), ...conditions));
  return BigInt(sum?.cents ?? 0);
}

/** Cents that reversals before `latest` say they gave back of a transaction. */
const reversedOf = (tx: Tx, { merchantId, cardId, id }: TransactionRow, latest: TransactionRow): Promise<bigint> =>
  sumOf(
    tx,
    { merchantId, id: cardId },
    eq(cardTransactions.relatedTransactionId, id),
    eq(cardTransactions.type, "REVERSAL"),
    ne(cardTransactions.id, latest.id),
  );

async function store(tx: Tx, card: CardRow, spend: SpendTransaction, followed: TransactionRow | undefined): Promise<TransactionRow> {
  const { type, amount, merchant, declineReason, occurredAt, transactionReference, relatedReference } = spend;
  const id = newId("cardTransaction");
  const open = type === "AUTHORIZATION" ? await leftOf(tx, card, spend) : 0n;
  const [row] = await tx
    .insert(cardTransactions)
    .values({
      merchantId: card.merchantId,
      cardId: card.id,
      id,
      providerTransactionId: transactionReference,
      type,
      status: type === "DECLINE" ? "DECLINED" : open > 0n ? "PENDING" : "COMPLETED",
      amount: amount.minor,
      currency: amount.currency,
      openAmount: open,
      holdKey: open > 0n ? keyOf(id) : null,
      merchantName: merchant.name,
      categoryCode: merchant.categoryCode,
      city: merchant.city,
      country: merchant.country,
      declineReason: type === "DECLINE" ? (declineReason ?? "not given") : null,
      relatedTransactionId: followed?.id ?? null,
      relatedReference,
      awaitsPassingOn: type !== "DECLINE" && (card.status === "TERMINATED" || (await isEnding(tx, card))),
      occurredAt,
    })
    .returning();
  if (!row) throw new Error(`transaction ${id} was not stored`);
  return row;
}

/** What an authorization still holds, of which we may have heard after what follows it: that has been taken, or given back, already. */
async function leftOf(tx: Tx, card: CardRow, { transactionReference, amount }: SpendTransaction): Promise<bigint> {
  const isFollower = inArray(cardTransactions.type, ["CLEARING", "REVERSAL"]);
  const left = amount.minor - (await sumOf(tx, card, eq(cardTransactions.relatedReference, transactionReference), isFollower));
  return left > 0n ? left : 0n;
}

/** Returns an authorization as it is once so much of it is open. */
export async function keepOpen(tx: Tx, { row, amount, holdKey }: Open): Promise<TransactionRow> {
  // An authorization of which anything was cleared has been used; only one that went back as a whole was reversed.
  const status = amount > 0n ? "PENDING" : (await wasCleared(tx, row)) ? "COMPLETED" : "REVERSED";
  const [kept] = await tx.update(cardTransactions).set({ openAmount: amount, holdKey, status }).where(isOf(row)).returning();
  if (!kept) throw new Error(`transaction ${row.id} is gone`);
  return kept;
}

async function wasCleared(tx: Tx, { merchantId, cardId, id }: TransactionRow): Promise<boolean> {
  const rows = await tx
    .select({ id: cardTransactions.id })
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.merchantId, merchantId),
        eq(cardTransactions.cardId, cardId),
        eq(cardTransactions.relatedTransactionId, id),
        eq(cardTransactions.type, "CLEARING"),
      ),
    )
    .limit(1);
  return rows.length > 0;
}
