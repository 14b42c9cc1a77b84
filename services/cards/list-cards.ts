import { type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { cards, OPENS_CARDS_BY_CARDHOLDER } from "#db/schema/cards.ts";
import { money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import { cardAccount } from "../ledger/index.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import { type Card, cardFromRow } from "./card.ts";
import type { ListCardsQuery } from "./contract.ts";
import type { CardStatus } from "./state-machine.ts";

/** Literals, not parameters: PostgreSQL plans with the partial index of a status only if the query names that status. */
const WITH_STATUS: Record<CardStatus, (query: Sql) => ReturnType<Sql>> = {
  PENDING: (query) => query`and c.status = 'PENDING'`,
  ACTIVE: (query) => query`and c.status = 'ACTIVE'`,
  FROZEN: (query) => query`and c.status = 'FROZEN'`,
  TERMINATED: (query) => query`and c.status = 'TERMINATED'`,
  FAILED: (query) => query`and c.status = 'FAILED'`,
};

/** Returns one page of cards, newest first. Reads cards and balances in one statement, so that both are of one moment. */
export async function listCards({ merchant }: MerchantContext, request: ListCardsQuery): Promise<Page<Card>> {
  const owner = `${merchant.id}/cards`;
  const before = request.cursor ? decodeCursor(owner, request.cursor) : undefined;
  const query = sql();
  const { status, cardholder_id: cardholderId } = request;
  const rows = await query<{ balance: bigint | null }[]>`
    select c.*, ledger_available(a) as balance from cards c
    left join ledger_accounts a on a.merchant_id = c.merchant_id and a.account = ${cardAccount("")} || c.id
    where c.merchant_id = ${merchant.id}
      ${before ? query`and c.id < ${before}` : query``}
      ${status ? WITH_STATUS[status](query) : query``}
      ${cardholderId ? query`and c.cardholder_id = ${cardholderId}::bigint and ${query.unsafe(OPENS_CARDS_BY_CARDHOLDER)}` : query``}
    order by c.id desc limit ${request.limit + 1}`;
  const found = rows.map((row) => cardFromRow(fromRow(cards, row), money(row.balance ?? 0n, "USD")));
  return toPage(owner, found, request.limit, ({ id }) => id);
}
