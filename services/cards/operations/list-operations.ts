import { and, eq, sql as fragment } from "drizzle-orm";
import { db, type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { cardOperations, MOVES_MONEY, OPENS_CARD_OPERATIONS_BY_CARD } from "#db/schema/cards.ts";
import { money } from "#lib/money.ts";
import type { MerchantContext } from "../../context.ts";
import { beyond, type CreatedRange, createdWithin, type Fragment, findRows, inOrder, isBeyond, orderOf } from "../../list-window.ts";
import { type Found, type Page, type PageRequest, readPage, type Window } from "../../pagination.ts";
import { CARD_IN_LIST, type CardInList, cardInListFrom, type RawCardInList } from "../card-in-list.ts";
import { type CardOperation, operationFromRow } from "../card-operation.ts";
import { getCard } from "../cards/read-cards.ts";

/** Returns one page of a card's operations, newest first. Throws RESOURCE_NOT_FOUND. */
export async function listOperations(ctx: MerchantContext, cardId: string, request: PageRequest): Promise<Page<CardOperation>> {
  const card = await getCard(ctx, cardId);
  return readPage({
    owner: `${card.merchantId}/cards/${card.id}/operations`,
    request,
    positionOf: ({ id }) => id,
    read: async (window) => {
      const isOfCard = and(
        eq(cardOperations.merchantId, card.merchantId),
        eq(cardOperations.cardId, card.id),
        fragment.raw(OPENS_CARD_OPERATIONS_BY_CARD),
        isBeyond(cardOperations.id, window),
      );
      const rows = await db().select().from(cardOperations).where(isOfCard).orderBy(orderOf(cardOperations.id, window)).limit(window.limit);
      return { rows: rows.map((row) => operationFromRow(row, card.balance)) };
    },
  });
}

interface OperationsFilter extends CreatedRange {
  /** Leaves out freezing and unfreezing. */
  movesMoney?: true;
  status?: CardOperation["status"] | undefined;
  /** No index serves types: such a list is a search (`findRows`). */
  type?: CardOperation["type"] | undefined;
}

export type OperationsQuery = PageRequest & OperationsFilter;

/** An operation with its card, without the card's balance: that would take a read of the ledger for each row. */
export interface OperationOfCard extends Omit<CardOperation, "cardBalance"> {
  card: CardInList;
}

/** Literals, not parameters: a plan uses the partial index of a status only then. */
const WITH_STATUS: Record<CardOperation["status"], (query: Sql) => Fragment> = {
  processing: (query) => query`and t.status = 'processing'`,
  completed: (query) => query`and t.status = 'completed'`,
  failed: (query) => query`and t.status = 'failed'`,
};

/** Returns one page of the operations of all cards, newest first: including failed ones, for which there is no event. */
export const listOperationsOfCards = (ctx: MerchantContext, request: OperationsQuery): Promise<Page<OperationOfCard>> =>
  readPage({
    owner: `${ctx.merchant.id}/card-operations`,
    request,
    positionOf: ({ id }) => id,
    read: (window) => readOperationsWithin(ctx, request, window),
  });

/** Returns the operations of a window, for this list and for one of several kinds of things. */
export function readOperationsWithin(
  { merchant }: MerchantContext,
  request: OperationsFilter,
  window: Window,
): Promise<Found<OperationOfCard>> {
  const { id: merchantId } = merchant;
  const query = sql();
  const { status, type, movesMoney } = request;
  const order = inOrder(query, window);
  return findRows({
    query,
    window,
    looked: (max, within) => query`
      select t.id, t.type, t.created_at from card_operations t
      where t.merchant_id = ${merchantId} ${status ? WITH_STATUS[status](query) : query``}
        ${movesMoney ? query`and ${query.unsafe(MOVES_MONEY)}` : query``}
        ${createdWithin(query, "cardOperation", request)} ${beyond(query, within)}
      ${order} limit ${max}`,
    passes: type && query`t.type = ${type}`,
    read: (found) => readOperationsOfCards(query, merchantId, found, order),
  });
}

/** Reads the operations whose ids `found` has as `t`, with their cards. */
export async function readOperationsOfCards(query: Sql, merchantId: string, found: Fragment, order: Fragment): Promise<OperationOfCard[]> {
  const rows = await query<RawCardInList[]>`
    select o.*, ${query.unsafe(CARD_IN_LIST)} from (${found}) t
    join card_operations o on o.merchant_id = ${merchantId} and o.id = t.id
    join cards c on c.merchant_id = ${merchantId} and c.id = o.card_id
    join cardholders h on h.merchant_id = ${merchantId} and h.id = c.cardholder_id ${order}`;
  return rows.map(operationOfCardFrom);
}

function operationOfCardFrom(row: RawCardInList): OperationOfCard {
  const { cardBalance: _, ...operation } = operationFromRow(fromRow(cardOperations, row), money(0n, "USD"));
  return { ...operation, card: cardInListFrom(row) };
}
