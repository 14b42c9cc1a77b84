import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { databaseTime } from "#db/database-time.ts";
import { cards } from "#db/schema/cards.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import type { Issuer, SpendTransaction } from "#providers/issuer.ts";
import type { UnreadableRow } from "#providers/read-rows.ts";
import type { CardRow } from "../card.ts";
import { LISTED_LATE_MS, WHOLE_READ_EVERY_MS } from "../schedule.ts";
import { forgetRecorded, quarantine, quarantinedOf, quarantineKeyOf, quarantineUnreadable, whyUnacceptable } from "./quarantine-spend.ts";
import { recordTransaction } from "./record-transaction.ts";

/** Thrown if the issuer did not list the spend of a card. */
export class SpendUnreadable extends Error {
  override name = "SpendUnreadable";
}

/**
 * Records the spend that a card's issuer lists and that is not recorded yet. Reads the whole list now and then, and once after the card's end.
 * Throws `SpendUnreadable`, after it has recorded the pages before the one that could not be read.
 */
export async function recordNewSpend(issuer: Issuer, card: CardRow): Promise<void> {
  if (card.providerReference === null) return;
  const quarantined = await quarantinedOf(card);
  const isWhole = isWholeReadDue(issuer, card);
  // Before the first page: a card that ends during the read is read once more.
  const readAt = await databaseTime(db());
  const { transactions, unreadable, isBroken } = await findNewSpend(issuer, card, { quarantined, isWhole });
  for (const row of unreadable) await quarantineUnreadable(card, row);
  // Starts at the end of the list, so that an authorization comes before its clearings. If a run stops early, the next one records the rest.
  for (const spend of transactions.toReversed()) await recordOrQuarantine(card, spend);
  if (quarantined.unreadable.size > 0) await forgetRecorded(card);
  if (isBroken) throw new SpendUnreadable(`the spend of card ${card.id} could not be read`);
  if (isWhole) await noteWholeRead(card, readAt);
}

/** Returns whether to read the whole list: a read that stops early would never find a transaction that is listed after known ones. */
function isWholeReadDue({ capabilities }: Issuer, { status, terminatedAt, spendReadAt }: CardRow): boolean {
  if (spendReadAt === null) return true;
  if (status === "TERMINATED" && terminatedAt !== null && spendReadAt < terminatedAt) return true;
  return Date.now() - spendReadAt.getTime() > WHOLE_READ_EVERY_MS[capabilities.spendOrder];
}

async function noteWholeRead({ merchantId, id }: CardRow, readAt: string): Promise<void> {
  await db()
    .update(cards)
    .set({ spendReadAt: sql`${readAt}::timestamptz` })
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id)));
}

/** Records a row, or quarantines it if PostgreSQL refuses its values, so that it does not stop the rows after it. */
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

/** Returns whether PostgreSQL refused a value (class 22, data exception): a retry would fail again. */
function isAboutValues(error: unknown): boolean {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  return cause instanceof Error && "code" in cause && String(cause.code).startsWith("22");
}

interface NewSpend {
  transactions: SpendTransaction[];
  unreadable: UnreadableRow[];
}

type Quarantined = Awaited<ReturnType<typeof quarantinedOf>>;

/**
 * Returns the rows that the issuer lists and that are not recorded, in its order; `isBroken` where a later page could not be read. Reads page by page, until a page has nothing new; with `isWhole`,
 * and within `LISTED_LATE_MS` of an issuer that lists by the time of spend, also beyond. A row that was quarantined as unreadable is new once a newer
 * adapter can read it.
 */
async function findNewSpend(
  issuer: Issuer,
  card: CardRow,
  { quarantined: { unacceptable, unreadable: unread }, isWhole }: { quarantined: Quarantined; isWhole: boolean },
): Promise<NewSpend & { isBroken: boolean }> {
  const transactions = new Map<string, SpendTransaction>();
  const unreadable = new Map<string, UnreadableRow>();
  const pages = new Set<string>();
  const size = () => transactions.size + unreadable.size;
  for (let page: string | null = null, more = true; more; ) {
    const listed = await issuer.listTransactions(card.providerReference ?? "", page);
    if (listed.status !== "found")
      return { transactions: [...transactions.values()], unreadable: [...unreadable.values()], isBroken: true };
    const before = size();
    const recorded = await recordedOf(card, listed.transactions);
    // If an issuer numbers its pages, a new row at the top moves the others down: one row may be on two pages.
    for (const row of listed.transactions) {
      const { transactionReference: name } = row;
      if (!recorded.has(name) && !unacceptable.has(quarantineKeyOf(name))) transactions.set(name, row);
    }
    for (const row of listed.unreadable) if (!unread.has(quarantineKeyOf(row.reference))) unreadable.set(row.reference, row);
    page = listed.nextPage;
    // Stops at a repeated page and after an empty page, because the reading might otherwise never end.
    const isNext = page !== null && !pages.has(page) && listed.transactions.length + listed.unreadable.length > 0;
    if (page !== null) pages.add(page);
    more = isNext && (isWhole || size() > before || mayHideNews(issuer, listed));
  }
  return { transactions: [...transactions.values()], unreadable: [...unreadable.values()], isBroken: false };
}

/** Returns whether a late transaction may follow after this page. A page without a readable row does not show its time. */
function mayHideNews({ capabilities }: Issuer, { transactions, unreadable }: NewSpend): boolean {
  const oldest = transactions.at(-1)?.occurredAt.getTime();
  const isRecent = oldest === undefined ? unreadable.length > 0 : Date.now() - oldest < LISTED_LATE_MS;
  return capabilities.spendOrder === "occurred" && isRecent;
}

/** Returns the issuer's references of the listed rows that are recorded. */
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
