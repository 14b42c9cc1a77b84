import { type Sql, sql } from "#db/client.ts";
import { OPENS_CARDS_BY_CARDHOLDER } from "#db/schema/cards.ts";
import type { MerchantContext } from "../../context.ts";
import { beyond, createdWithin, inOrder } from "../../list-window.ts";
import { type Page, readPage } from "../../pagination.ts";
import type { ListCardsQuery } from "../contract.ts";
import type { CardStatus } from "../state-machine.ts";
import { type CardOfHolder, readCardsOfHolders } from "./card-of-holder.ts";

/** Literals, not parameters: PostgreSQL plans with the partial index of a status only if the query names that status. */
const WITH_STATUS: Record<CardStatus, (query: Sql) => ReturnType<Sql>> = {
  PENDING: (query) => query`and t.status = 'PENDING'`,
  ACTIVE: (query) => query`and t.status = 'ACTIVE'`,
  FROZEN: (query) => query`and t.status = 'FROZEN'`,
  TERMINATED: (query) => query`and t.status = 'TERMINATED'`,
  FAILED: (query) => query`and t.status = 'FAILED'`,
};

/** Returns one page of cards, newest first. */
export const listCards = ({ merchant }: MerchantContext, request: ListCardsQuery): Promise<Page<CardOfHolder>> =>
  readPage({
    owner: `${merchant.id}/cards`,
    request,
    positionOf: ({ id }) => id,
    read: async (window) => {
      const query = sql();
      const { status, cardholder_id: cardholderId } = request;
      const rows = await readCardsOfHolders(
        query,
        merchant.id,
        query`
          ${status ? WITH_STATUS[status](query) : query``}
          ${cardholderId ? query`and t.cardholder_id = ${cardholderId}::bigint and ${query.unsafe(OPENS_CARDS_BY_CARDHOLDER)}` : query``}
          ${createdWithin(query, "card", request)} ${beyond(query, window)}
        ${inOrder(query, window)} limit ${window.limit}`,
      );
      return { rows };
    },
  });
