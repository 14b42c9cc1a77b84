import type { Card } from "./card.ts";
import { type HolderName, holderNameFrom, type RawHolderName } from "./cardholder.ts";

/** A card as a list of its operations or its spend names it. */
export interface CardInList extends Pick<Card, "id" | "brand" | "nickname" | "last4"> {
  cardholder: HolderName;
}

/** The columns of `RawCardInList`, in a query that joins a card `c` and its cardholder `h`. */
export const CARD_IN_LIST = `c.id as card_id, c.brand as card_brand, c.nickname as card_nickname, c.last4 as card_last4,
  h.first_name as holder_first_name, h.last_name as holder_last_name`;

export interface RawCardInList extends RawHolderName {
  card_id: string;
  card_brand: Card["brand"];
  card_nickname: string | null;
  card_last4: string | null;
}

export const cardInListFrom = (row: RawCardInList): CardInList => ({
  id: row.card_id,
  brand: row.card_brand,
  nickname: row.card_nickname,
  last4: row.card_last4,
  cardholder: holderNameFrom(row),
});
