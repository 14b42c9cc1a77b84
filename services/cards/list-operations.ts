import { and, desc, eq, lt, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardOperations, OPENS_CARD_OPERATIONS_BY_CARD } from "#db/schema/cards.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, type PageRequest, toPage } from "../pagination.ts";
import { type CardOperation, operationFromRow } from "./card-operation.ts";
import { getCard } from "./read-cards.ts";

/** Returns one page of a card's operations, newest first. Throws RESOURCE_NOT_FOUND. */
export async function listOperations(ctx: MerchantContext, cardId: string, { limit, cursor }: PageRequest): Promise<Page<CardOperation>> {
  const card = await getCard(ctx, cardId);
  const owner = `${card.merchantId}/cards/${card.id}/operations`;
  const before = cursor ? decodeCursor(owner, cursor) : undefined;
  const rows = await db()
    .select()
    .from(cardOperations)
    .where(
      and(
        eq(cardOperations.merchantId, card.merchantId),
        eq(cardOperations.cardId, card.id),
        sql.raw(OPENS_CARD_OPERATIONS_BY_CARD),
        before === undefined ? undefined : lt(cardOperations.id, before),
      ),
    )
    .orderBy(desc(cardOperations.id))
    .limit(limit + 1);
  const operations = rows.map((row) => operationFromRow(row, card.balance));
  return toPage(owner, operations, limit, ({ id }) => id);
}
