import { type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { cards, OPENS_CARDS_BY_CARDHOLDER } from "#db/schema/cards.ts";
import { money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import { cardAccount } from "../ledger/index.ts";
import { beyond, createdWithin, inOrder } from "../list-window.ts";
import { type Page, readPage } from "../pagination.ts";
import { type Card, cardFromRow } from "./card.ts";
import { type HolderName, holderNameFrom, type RawHolderName } from "./cardholder.ts";
import type { ListCardsQuery } from "./contract.ts";
import type { CardStatus } from "./state-machine.ts";

/** Literals, not parameters: PostgreSQL plans with the partial index of a status only if the query names that status. */
const WITH_STATUS: Record<CardStatus, (query: Sql) => ReturnType<Sql>> = {
  PENDING: (query) => query`and t.status = 'PENDING'`,
  ACTIVE: (query) => query`and t.status = 'ACTIVE'`,
  FROZEN: (query) => query`and t.status = 'FROZEN'`,
  TERMINATED: (query) => query`and t.status = 'TERMINATED'`,
  FAILED: (query) => query`and t.status = 'FAILED'`,
};

/** A card with the name of its cardholder. */
export interface CardOfHolder extends Card {
  cardholder: HolderName;
}

/** Returns one page of cards, newest first. Reads cards and balances in one statement, so that both are of one moment. */
export const listCards = ({ merchant }: MerchantContext, request: ListCardsQuery): Promise<Page<CardOfHolder>> =>
  readPage({
    owner: `${merchant.id}/cards`,
    request,
    positionOf: ({ id }) => id,
    read: async (window) => {
      const query = sql();
      const { status, cardholder_id: cardholderId } = request;
      const rows = await query<(RawHolderName & { balance: bigint | null })[]>`
        select t.*, ledger_available(a) as balance, h.first_name as holder_first_name, h.last_name as holder_last_name
        from cards t
        join cardholders h on h.merchant_id = t.merchant_id and h.id = t.cardholder_id
        left join ledger_accounts a on a.merchant_id = t.merchant_id and a.account = ${cardAccount("")} || t.id
        where t.merchant_id = ${merchant.id}
          ${status ? WITH_STATUS[status](query) : query``}
          ${cardholderId ? query`and t.cardholder_id = ${cardholderId}::bigint and ${query.unsafe(OPENS_CARDS_BY_CARDHOLDER)}` : query``}
          ${createdWithin(query, "card", request)} ${beyond(query, window)}
        ${inOrder(query, window)} limit ${window.limit}`;
      const found = rows.map((row) => ({
        ...cardFromRow(fromRow(cards, row), money(row.balance ?? 0n, "USD")),
        cardholder: holderNameFrom(row),
      }));
      return { rows: found };
    },
  });
