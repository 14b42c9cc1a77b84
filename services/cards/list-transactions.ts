import { and, desc, eq, lt } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "../pagination.ts";
import { type CardTransaction, transactionFromRow } from "./card-transaction.ts";
import { getCardRow } from "./rows.ts";

/** Returns one page of a card's spend, newest first. Throws RESOURCE_NOT_FOUND. */
export async function listCardTransactions(
  ctx: MerchantContext,
  cardId: string,
  { limit, cursor }: PageRequest,
): Promise<Page<CardTransaction>> {
  const card = await getCardRow(ctx, cardId);
  const owner = `${card.merchantId}/cards/${card.id}/transactions`;
  const before = cursor ? decodeCursor(owner, cursor) : undefined;
  const rows = await db()
    .select()
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.merchantId, card.merchantId),
        eq(cardTransactions.cardId, card.id),
        before === undefined ? undefined : lt(cardTransactions.id, before),
      ),
    )
    .orderBy(desc(cardTransactions.id))
    .limit(limit + 1);
  return toPage(owner, rows.map(transactionFromRow), limit, ({ id }) => id);
}
