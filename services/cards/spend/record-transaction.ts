import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import type { SpendTransaction } from "#providers/issuer.ts";
import { appendEvent } from "../../events/index.ts";
import { mustPost, type Transfer } from "../../ledger/index.ts";
import type { CardRow } from "../card.ts";
import { type TransactionRow, transactionFromRow } from "../card-transaction.ts";
import { presentTransaction } from "../present.ts";
import { balanceOf, isEnding, lockCard } from "../rows.ts";
import { effectOf, keyOf, type Open } from "./spend-effect.ts";
import { type Followers, findByReference, followersOf, NO_FOLLOWERS, targetOf } from "./spend-tree.ts";

/** Types of transaction that a clearing or a reversal may follow. */
const FOLLOWED: SpendTransaction["type"][] = ["AUTHORIZATION", "CLEARING", "FEE"];

/**
 * Records a transaction of a card once: row, ledger and event in one database transaction. The card's final balance does not depend on the
 * order in which an issuer lists transactions. The wallet does not move: once the whole list is recorded, `passOnBalance` settles a
 * terminated card with the wallet. Returns false if the transaction was recorded before.
 * Locks: card, ledger accounts, event counter.
 */
export async function recordTransaction({ merchantId, id }: CardRow, spend: SpendTransaction): Promise<boolean> {
  return transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, id);
    if (await findByReference(tx, card, spend.transactionReference)) return false;
    const followed = await findByReference(tx, card, spend.relatedReference);
    const target = await targetOf(tx, card, spend, followed);
    const followers = FOLLOWED.includes(spend.type) ? await followersOf(tx, card, spend.transactionReference) : NO_FOLLOWERS;
    const reversed = target && spend.type === "REVERSAL" ? (await followersOf(tx, card, target.providerTransactionId)).reversed : 0n;
    const row = await store(tx, card, spend, { followed, followers });
    const effect = effectOf(row, { target: target && { row: target, reversed }, followers });
    if (effect.ignored > 0n) {
      log().error(
        { cardId: id, transactionId: row.id, cents: effect.ignored },
        "more was reversed than was open; what is beyond moves nothing",
      );
    }
    if (effect.transfers.length > 0) await postAndNoteChange(tx, card, row, effect.transfers);
    // A transaction that moved no money explains no difference.
    else if (row.awaitsPassingOn) await tx.update(cardTransactions).set({ awaitsPassingOn: false }).where(isOf(row));
    if (effect.open) await keepOpen(tx, effect.open);
    await appendEvent(tx, merchantId, "card.transaction", presentTransaction(transactionFromRow(row)));
    return true;
  });
}

/** Posts a transaction's transfers, and stores by how much they change the card's balance. A capture of a hold does not change it. */
async function postAndNoteChange(tx: Tx, card: CardRow, row: TransactionRow, transfers: Transfer[]): Promise<void> {
  const change = await postTo(tx, card, transfers);
  await tx
    .update(cardTransactions)
    .set({ change, awaitsPassingOn: row.awaitsPassingOn && change !== 0n })
    .where(isOf(row));
}

/** Posts transfers, and returns the US cents by which they change the card's balance. */
export async function postTo(tx: Tx, card: CardRow, transfers: Transfer[]): Promise<bigint> {
  const before = await balanceOf(tx, card);
  await mustPost(tx, card.merchantId, transfers);
  return (await balanceOf(tx, card)).minor - before.minor;
}

export const isOf = ({ merchantId, cardId, id }: Pick<TransactionRow, "merchantId" | "cardId" | "id">) =>
  and(eq(cardTransactions.merchantId, merchantId), eq(cardTransactions.cardId, cardId), eq(cardTransactions.id, id));

interface Related {
  /** The recorded transaction that the new one names. */
  followed: TransactionRow | undefined;
  followers: Followers;
}

async function store(tx: Tx, card: CardRow, spend: SpendTransaction, { followed, followers }: Related): Promise<TransactionRow> {
  const { type, amount, merchant, declineReason, occurredAt, transactionReference, relatedReference } = spend;
  const id = newId("cardTransaction");
  const open = type === "AUTHORIZATION" ? leftOf(spend, followers) : 0n;
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

/** Returns the cents that an authorization holds at first: its amount less the clearings and reversals that were recorded before it. */
function leftOf({ amount }: SpendTransaction, { cleared, reversed }: Followers): bigint {
  const left = amount.minor - cleared - reversed;
  return left > 0n ? left : 0n;
}

/** Sets the open amount (US cents) and the hold of an authorization, and the status that follows. Returns the changed row. */
export async function keepOpen(tx: Tx, { row, amount, holdKey }: Open): Promise<TransactionRow> {
  // An authorization with a clearing is COMPLETED, though a part was reversed; REVERSED means that nothing was cleared.
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
