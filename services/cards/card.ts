import type { cards } from "#db/schema/cards.ts";
import type { Money } from "#lib/money.ts";
import type { CardDetails } from "#providers/issuer.ts";
import { type Actor, actorOf } from "../context.ts";

export type CardRow = typeof cards.$inferSelect;

/** A card as the merchant sees it. The issuer's name and the time of the next sync stay in the row. */
export interface Card
  extends Pick<
    CardRow,
    | ("merchantId" | "id" | "cardholderId" | "brand" | "nickname" | "status" | "last4" | "expiryMonth" | "expiryYear")
    | ("metadata" | "createdAt" | "terminatedAt")
  > {
  /** US dollars that can be spent. */
  balance: Money;
  madeBy: Actor;
}

export function cardFromRow(row: CardRow, balance: Money): Card {
  const { merchantId, id, cardholderId, brand, nickname, status, last4, expiryMonth, expiryYear } = row;
  const { metadata, createdAt, terminatedAt } = row;
  return {
    ...{ merchantId, id, cardholderId, brand, nickname, status, last4, expiryMonth, expiryYear },
    ...{ metadata, createdAt, terminatedAt, balance },
    madeBy: actorOf(row.madeBy),
  };
}

/** The details that the merchant's server shows its cardholder. */
export interface RevealedDetails extends CardDetails, Pick<CardRow, "brand"> {
  cardId: string;
}
