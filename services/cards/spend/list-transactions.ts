import { and, eq } from "drizzle-orm";
import { db, type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { cardTransactions, OPENS_SPEND_NEWEST } from "#db/schema/spend.ts";
import type { MerchantContext } from "../../context.ts";
import { beyond, type CreatedRange, createdWithin, type Fragment, findRows, inOrder, isBeyond, orderOf } from "../../list-window.ts";
import { type Found, type Page, type PageRequest, readPage, type Window } from "../../pagination.ts";
import { CARD_IN_LIST, type CardInList, cardInListFrom, type RawCardInList } from "../card-in-list.ts";
import { type CardTransaction, transactionFromRow } from "../card-transaction.ts";
import { getCardRow } from "../rows.ts";

/** Returns one page of a card's spend, newest first. Throws RESOURCE_NOT_FOUND. */
export async function listCardTransactions(ctx: MerchantContext, cardId: string, request: PageRequest): Promise<Page<CardTransaction>> {
  const card = await getCardRow(ctx, cardId);
  return readPage({
    owner: `${card.merchantId}/cards/${card.id}/transactions`,
    request,
    positionOf: ({ id }) => id,
    read: async (window) => {
      const isOfCard = and(
        eq(cardTransactions.merchantId, card.merchantId),
        eq(cardTransactions.cardId, card.id),
        isBeyond(cardTransactions.id, window),
      );
      const order = orderOf(cardTransactions.id, window);
      const rows = await db().select().from(cardTransactions).where(isOfCard).orderBy(order).limit(window.limit);
      return { rows: rows.map(transactionFromRow) };
    },
  });
}

interface SpendFilter extends CreatedRange {
  /** No index serves types and states: such a list is a search (`findRows`). */
  type?: CardTransaction["type"] | undefined;
  status?: CardTransaction["status"] | undefined;
}

export type SpendQuery = PageRequest & SpendFilter;

/** Spend with its card. */
export interface SpendOfCard extends CardTransaction {
  card: CardInList;
}

/** Returns one page of the spend of all cards, in the order in which we recorded it, newest first. */
export const listSpendOfCards = (ctx: MerchantContext, request: SpendQuery): Promise<Page<SpendOfCard>> =>
  readPage({
    owner: `${ctx.merchant.id}/card-spend`,
    request,
    positionOf: ({ id }) => id,
    read: (window) => readSpendWithin(ctx, request, window),
  });

/** Returns the spend of a window, for this list and for one of several kinds of things. */
export function readSpendWithin({ merchant }: MerchantContext, request: SpendFilter, window: Window): Promise<Found<SpendOfCard>> {
  const { id: merchantId } = merchant;
  const query = sql();
  const { type, status } = request;
  const order = inOrder(query, window);
  return findRows({
    query,
    window,
    looked: (max, within) => query`
      select t.card_id, t.id, t.type, t.status, t.created_at from card_transactions t
      where t.merchant_id = ${merchantId} and ${query.unsafe(OPENS_SPEND_NEWEST)}
        ${createdWithin(query, "cardTransaction", request)} ${beyond(query, within)}
      ${order} limit ${max}`,
    passes:
      type || status
        ? query`true ${type ? query`and t.type = ${type}` : query``} ${status ? query`and t.status = ${status}` : query``}`
        : undefined,
    read: (found) => readSpendOfCards(query, merchantId, found, order),
  });
}

/** Reads the spend whose cards and ids `found` has as `t`, with its cards. */
export async function readSpendOfCards(query: Sql, merchantId: string, found: Fragment, order: Fragment): Promise<SpendOfCard[]> {
  const rows = await query<RawCardInList[]>`
    select s.*, ${query.unsafe(CARD_IN_LIST)} from (${found}) t
    join card_transactions s on s.merchant_id = ${merchantId} and s.card_id = t.card_id and s.id = t.id
    join cards c on c.merchant_id = ${merchantId} and c.id = s.card_id
    join cardholders h on h.merchant_id = ${merchantId} and h.id = c.cardholder_id ${order}`;
  return rows.map((row) => ({ ...transactionFromRow(fromRow(cardTransactions, row)), card: cardInListFrom(row) }));
}
