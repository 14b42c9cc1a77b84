import { sql } from "#db/client.ts";
import { OPENS_CARDS_BY_CARDHOLDER } from "#db/schema/cards.ts";
import type { MerchantContext } from "../../context.ts";
import { type CardOfHolder, readCardsOfHolders } from "./card-of-holder.ts";

/** The value by which cards are found. */
export type CardsBy = { id: string } | { last4: string } | { cardholderId: number };

/** Returns the merchant's cards with this value, newest first, at most `limit`. */
export function findCards({ merchant }: MerchantContext, by: CardsBy, limit: number): Promise<CardOfHolder[]> {
  const query = sql();
  const condition = () => {
    if ("id" in by) return query`t.id = ${by.id}`;
    if ("last4" in by) return query`t.last4 = ${by.last4} and t.last4 is not null`;
    return query`t.cardholder_id = ${by.cardholderId}::bigint and t.${query.unsafe(OPENS_CARDS_BY_CARDHOLDER)}`;
  };
  return readCardsOfHolders(query, merchant.id, query`and ${condition()} order by t.id desc limit ${limit}`);
}
