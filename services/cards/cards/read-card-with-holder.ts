import { db, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { cards } from "#db/schema/cards.ts";
import { type Money, money } from "#lib/money.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { cardAccount } from "../../ledger/index.ts";
import { cardFromRow } from "../card.ts";
import { holderNameFrom, type RawHolderName } from "../cardholder.ts";
import { obstaclesOf } from "../rows.ts";
import type { CardOfHolder } from "./card-of-holder.ts";

/** A card with its cardholder's name, and with what its status does not say. */
export interface CardWithHolder extends CardOfHolder {
  /** US dollars of open authorizations, and of unloads that the issuer has not decided. The balance is without them. */
  held: Money;
  /** The issuer was asked to terminate the card and has not answered yet. */
  isEnding: boolean;
  /** No money moves on the card until an operator has examined it. */
  isBlocked: boolean;
}

/** Returns a card for its page. Reads balance and holds in one statement, so that both are of one moment. Throws RESOURCE_NOT_FOUND. */
export async function getCardWithHolder({ merchant }: MerchantContext, id: string): Promise<CardWithHolder> {
  const [found] = await sql()<(RawHolderName & { balance: bigint | null; held: bigint | null })[]>`
    select t.*, a.available as balance, a.pending_debits as held, h.first_name as holder_first_name, h.last_name as holder_last_name
    from cards t
    join cardholders h on h.merchant_id = ${merchant.id} and h.id = t.cardholder_id
    left join ledger_accounts a on a.merchant_id = ${merchant.id} and a.account = ${cardAccount(id)}
    where t.merchant_id = ${merchant.id} and t.id = ${id}`;
  if (!found) throw notFound("card");
  const row = fromRow(cards, found);
  const { isEnding = false, isBlocked = false } = await obstaclesOf(db(), row);
  return {
    ...cardFromRow(row, money(BigInt(found.balance ?? 0n), "USD")),
    cardholder: holderNameFrom(found),
    held: money(BigInt(found.held ?? 0n), "USD"),
    isEnding,
    isBlocked,
  };
}
