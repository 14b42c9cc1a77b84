import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import type { Issuer, SpendTransaction } from "#providers/issuer.ts";
import type { UnreadableRow } from "#providers/read-rows.ts";
import type { CardRow } from "./card.ts";
import { forgetRecorded, quarantine, quarantinedOf, quarantineUnreadable, whyUnacceptable } from "./quarantine-spend.ts";
import { recordTransaction } from "./record-transaction.ts";

/** Records the spend of a card that its issuer lists and we do not have. Throws an Error where the list could not be read. */
export async function readNews(issuer: Issuer, card: CardRow): Promise<void> {
  if (card.providerReference === null) return;
  const quarantined = await quarantinedOf(card);
  const { transactions, unreadable } = await findNews(issuer, card, quarantined);
  for (const row of unreadable) await quarantineUnreadable(card, row);
  // Oldest first: an authorization before what follows it. A run that is cut off loses nothing, because the rest is still unknown.
  for (const spend of transactions.toReversed()) await recordOrQuarantine(card, spend);
  if (quarantined.unreadable.size > 0) await forgetRecorded(card);
}

/** A row that cannot be recorded must not keep the others from it. */
async function recordOrQuarantine(card: CardRow, spend: SpendTransaction): Promise<void> {
  const reason = whyUnacceptable(spend);
  if (reason) return quarantine(card, spend, reason);
  try {
    await recordTransaction(card, spend);
  } catch (error) {
    if (!isAboutValues(error)) throw error;
    await quarantine(card, spend, "A value in it cannot be stored.");
  }
}

/** PostgreSQL's class 22, data exception: the row will never be stored. */
function isAboutValues(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return cause instanceof Error && "code" in cause && String(cause.code).startsWith("22");
}

interface News {
  transactions: SpendTransaction[];
  unreadable: UnreadableRow[];
}

type Quarantined = Awaited<ReturnType<typeof quarantinedOf>>;

/**
 * The rows that the issuer lists and we do not have, newest first: page by page, until a page has nothing new. A row that an adapter has
 * learnt to read is new, though it is quarantined.
 */
async function findNews(issuer: Issuer, card: CardRow, { unacceptable, unreadable: unread }: Quarantined): Promise<News> {
  const transactions = new Map<string, SpendTransaction>();
  const unreadable = new Map<string, UnreadableRow>();
  const size = () => transactions.size + unreadable.size;
  for (let page: string | null = null, more = true; more; ) {
    const listed = await issuer.listTransactions(card.providerReference ?? "", page);
    if (listed.status !== "found") throw new Error(`the spend of card ${card.id} could not be read`);
    const before = size();
    const recorded = await recordedOf(card, listed.transactions);
    // Where pages are counted, what is new at the top pushes the rest down: the same one may be on two.
    for (const row of listed.transactions) {
      const { transactionReference: name } = row;
      if (!recorded.has(name) && !unacceptable.has(name)) transactions.set(name, row);
    }
    for (const row of listed.unreadable) if (!unread.has(row.reference)) unreadable.set(row.reference, row);
    page = listed.nextPage;
    more = size() > before && page !== null;
  }
  return { transactions: [...transactions.values()], unreadable: [...unreadable.values()] };
}

/** The issuer's names of those rows that are recorded. */
async function recordedOf({ merchantId, id }: CardRow, listed: SpendTransaction[]): Promise<Set<string>> {
  if (listed.length === 0) return new Set();
  const references = listed.map(({ transactionReference }) => transactionReference);
  const rows = await db()
    .select({ reference: cardTransactions.providerTransactionId })
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.merchantId, merchantId),
        eq(cardTransactions.cardId, id),
        sql`${cardTransactions.providerTransactionId} = any(${sql.param(references)}::text[])`,
      ),
    );
  return new Set(rows.map(({ reference }) => reference));
}
