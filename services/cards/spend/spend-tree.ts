import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import type { SpendTransaction } from "#providers/issuer.ts";
import type { CardRow } from "../card.ts";
import type { TransactionRow } from "../card-transaction.ts";

// Clearings and reversals name the transaction that they follow. An issuer may list them before that transaction, so the queries below
// follow the references in both directions.

type CardKey = Pick<CardRow, "merchantId" | "id">;

export async function findByReference(tx: Tx, { merchantId, id }: CardKey, reference: string | null): Promise<TransactionRow | undefined> {
  if (reference === null) return undefined;
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

/**
 * Returns the transaction from which `spend` takes money, or to which it gives money back: `followed`, the transaction that it names, or
 * for a clearing that follows a clearing, the authorization of that one.
 */
export async function targetOf(
  tx: Tx,
  card: CardKey,
  spend: SpendTransaction,
  followed: TransactionRow | undefined,
): Promise<TransactionRow | undefined> {
  const passed = new Set([spend.transactionReference]);
  let found = followed;
  while (spend.type === "CLEARING" && found?.type === "CLEARING" && found.relatedReference !== null) {
    // Issuers may list clearings that follow each other in a circle.
    if (passed.has(found.providerTransactionId)) return undefined;
    passed.add(found.providerTransactionId);
    found = await findByReference(tx, card, found.relatedReference);
  }
  return found;
}

/** US cents of the recorded transactions that follow another one. */
export interface Followers {
  /** Clearings that follow it, directly or through other clearings. */
  cleared: bigint;
  reversed: bigint;
}

export const NO_FOLLOWERS: Followers = { cleared: 0n, reversed: 0n };

export async function followersOf(tx: Tx, { merchantId, id }: CardKey, reference: string): Promise<Followers> {
  const [sums] = await tx.execute<{ cleared: string; reversed: string }>(sql`
    with recursive clearings as (
      select provider_transaction_id as reference, amount from card_transactions
      where merchant_id = ${merchantId} and card_id = ${id} and related_reference = ${reference} and type = 'CLEARING'
      union
      select t.provider_transaction_id, t.amount from clearings c
      join card_transactions t on t.merchant_id = ${merchantId} and t.card_id = ${id} and t.related_reference = c.reference and t.type = 'CLEARING'
    )
    select (select coalesce(sum(amount), 0)::text from clearings where reference <> ${reference}) as cleared,
      (select coalesce(sum(amount), 0)::text from card_transactions
       where merchant_id = ${merchantId} and card_id = ${id} and related_reference = ${reference} and type = 'REVERSAL') as reversed`);
  return { cleared: BigInt(sums?.cleared ?? 0), reversed: BigInt(sums?.reversed ?? 0) };
}
