import { and, eq, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cards, cardTransactions } from "#db/schema/cards.ts";
import { log } from "#lib/log.ts";
import { someAtOnce } from "#lib/some-at-once.ts";
import type { Issuer, SpendTransaction } from "#providers/issuer.ts";
import { issuerNamed } from "../providers/index.ts";
import type { CardRow } from "./card.ts";
import { resolveOperationsOf } from "./operations.ts";
import { passOnWhatIsLeft } from "./pass-on.ts";
import { recordTransaction } from "./record-transaction.ts";
import { LEASE_MS, SYNC_EVERY_MS, SYNC_TERMINATED_FOR_MS } from "./schedule.ts";

/** Reads from the issuer what is new about a card: what became of its operations, and its spend. */
export async function syncCard(card: CardRow): Promise<void> {
  await resolveOperationsOf(card);
  const issuer = issuerNamed(card.provider);
  if (!issuer) throw new Error(`card ${card.id} is at an issuer that is not known here`);
  const known = await readCardRow(card);
  if (known.providerReference === null) return;
  const fresh = await findNews(issuer, known, known.providerReference);
  // Oldest first: an authorization before what follows it. Whatever is cut off is found again, since it is still unknown.
  for (const spend of fresh.toReversed()) await recordTransaction(known, spend);
  // Only a list that was read after the end has all that came before it.
  if (known.status === "TERMINATED") await passOnWhatIsLeft(known);
}

/** As it is after its operations were looked at. */
async function readCardRow(card: CardRow): Promise<CardRow> {
  const [row] = await db()
    .select()
    .from(cards)
    .where(and(eq(cards.merchantId, card.merchantId), eq(cards.id, card.id)));
  return row ?? card;
}

/** What the issuer lists and we do not have, newest first: page by page, until a page has nothing new. */
async function findNews(issuer: Issuer, card: CardRow, cardReference: string): Promise<SpendTransaction[]> {
  const news = new Map<string, SpendTransaction>();
  for (let page: string | null = null, more = true; more; ) {
    const listed = await issuer.listTransactions(cardReference, page);
    if (listed.status !== "found") throw new Error(`the spend of card ${card.id} could not be read`);
    const before = news.size;
    // Where pages are counted, what is new at the top pushes the rest down: the same one may be on two.
    for (const spend of await withoutKnown(card, listed.transactions)) news.set(spend.transactionReference, spend);
    page = listed.nextPage;
    more = news.size > before && page !== null;
  }
  return [...news.values()];
}

async function withoutKnown({ merchantId, id }: CardRow, listed: SpendTransaction[]): Promise<SpendTransaction[]> {
  if (listed.length === 0) return [];
  const references = listed.map(({ transactionReference }) => transactionReference);
  const known = await db()
    .select({ reference: cardTransactions.providerTransactionId })
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.merchantId, merchantId),
        eq(cardTransactions.cardId, id),
        sql`${cardTransactions.providerTransactionId} = any(${sql.param(references)}::text[])`,
      ),
    );
  const have = new Set(known.map(({ reference }) => reference));
  return listed.filter(({ transactionReference }) => !have.has(transactionReference));
}

/** Syncs one card that is due, unless somebody else has just begun to. */
export async function syncIfDue(merchantId: string, id: string): Promise<void> {
  const [claimed] = await db()
    .update(cards)
    .set({ nextSyncAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id), lte(cards.nextSyncAt, sql`now()`)))
    .returning();
  if (!claimed) return;
  try {
    await syncCard(claimed);
    await planNext(claimed);
  } catch (error) {
    log().error({ cardId: id, err: error }, "a card could not be synced; it is tried again");
  }
}

/** Unless a notice came meanwhile, which has made it due at once. */
async function planNext({ merchantId, id, nextSyncAt }: CardRow): Promise<void> {
  const next = sql`case
    when status in ('PENDING', 'FAILED') or terminated_at < now() - ${SYNC_TERMINATED_FOR_MS} * interval '1 ms' then null
    else now() + ${SYNC_EVERY_MS} * interval '1 ms' end`;
  await db()
    .update(cards)
    .set({ nextSyncAt: next })
    .where(
      and(
        eq(cards.merchantId, merchantId),
        eq(cards.id, id),
        sql`${cards.nextSyncAt} = ${nextSyncAt?.toISOString() ?? null}::text::timestamptz`,
      ),
    );
}

/** Syncs cards that are due, of all merchants. Answers how many were. */
export async function syncDueCards(limit = 50): Promise<number> {
  const due = await db()
    .select({ merchantId: cards.merchantId, id: cards.id })
    .from(cards)
    .where(lte(cards.nextSyncAt, sql`now()`))
    .orderBy(cards.nextSyncAt)
    .limit(limit);
  await someAtOnce(due, ({ merchantId, id }) => syncIfDue(merchantId, id));
  return due.length;
}
