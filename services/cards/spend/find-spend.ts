import { sql } from "#db/client.ts";
import { OPENS_SPEND_NEWEST } from "#db/schema/spend.ts";
import type { MerchantContext } from "../../context.ts";
import { readSpendOfCards, type SpendOfCard } from "./list-transactions.ts";

/** Returns the merchant's spend with an id, with its card, in a list of at most one. The primary key names the card too, so another index finds it. */
export function findSpend({ merchant }: MerchantContext, id: string): Promise<SpendOfCard[]> {
  const query = sql();
  const found = query`
    select card_id, id from card_transactions
    where merchant_id = ${merchant.id} and id = ${id} and ${query.unsafe(OPENS_SPEND_NEWEST)}`;
  return readSpendOfCards(query, merchant.id, found, query``);
}
