import type { cardholders } from "#db/schema/cards.ts";
import { type Actor, actorOf } from "../context.ts";

export type CardholderRow = typeof cardholders.$inferSelect;

/** A person to whom cards are issued. The issuer's reference for the person stays in the row. */
export interface Cardholder
  extends Pick<
    CardholderRow,
    "merchantId" | "id" | "firstName" | "lastName" | "email" | "phone" | "kycStatus" | "kycRejectionReason" | "metadata" | "createdAt"
  > {
  madeBy: Actor;
}

export function cardholderFromRow(row: CardholderRow): Cardholder {
  const { merchantId, id, firstName, lastName, email, phone, kycStatus, kycRejectionReason, metadata, createdAt } = row;
  const madeBy = actorOf(row.madeBy);
  return { merchantId, id, firstName, lastName, email, phone, kycStatus, kycRejectionReason, metadata, createdAt, madeBy };
}

export type HolderName = Pick<Cardholder, "firstName" | "lastName">;

/** The name of a cardholder beside the columns of another table, in a query that joins both. */
export interface RawHolderName {
  holder_first_name: string;
  holder_last_name: string;
}

export const holderNameFrom = ({ holder_first_name: firstName, holder_last_name: lastName }: RawHolderName): HolderName => ({
  firstName,
  lastName,
});
