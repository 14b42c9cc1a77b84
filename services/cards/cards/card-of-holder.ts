import type { Sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { cards } from "#db/schema/cards.ts";
import { money } from "#lib/money.ts";
import { cardAccount } from "../../ledger/index.ts";
import type { Fragment } from "../../list-window.ts";
import { type Card, cardFromRow } from "../card.ts";
import { type HolderName, holderNameFrom, type RawHolderName } from "../cardholder.ts";

/** A card with the name of its cardholder. */
export interface CardOfHolder extends Card {
  cardholder: HolderName;
}

/** Reads cards `t` of a merchant: `rest` has further conditions and the order. Cards and balances come from one statement, so that both are of one moment. */
export async function readCardsOfHolders(query: Sql, merchantId: string, rest: Fragment): Promise<CardOfHolder[]> {
  const rows = await query<(RawHolderName & { balance: bigint | null })[]>`
    select t.*, a.available as balance, h.first_name as holder_first_name, h.last_name as holder_last_name
    from cards t
    join cardholders h on h.merchant_id = ${merchantId} and h.id = t.cardholder_id
    left join ledger_accounts a on a.merchant_id = ${merchantId} and a.account = ${cardAccount("")} || t.id
    where t.merchant_id = ${merchantId} ${rest}`;
  return rows.map((row) => ({ ...cardFromRow(fromRow(cards, row), money(row.balance ?? 0n, "USD")), cardholder: holderNameFrom(row) }));
}
