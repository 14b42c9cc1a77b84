import type { cardholders } from "#db/schema/cards.ts";
import { type Actor, actorOf } from "../context.ts";

export type CardholderRow = typeof cardholders.$inferSelect;

/** A person to whom cards are issued. The issuer's reference for the person stays in the row. */
export interface Cardholder
  extends Pick<
    CardholderRow,
    "merchantId" | "id" | "firstName" | "lastName" | "email" | "phone" | "kycStatus" | "kycRejectionReason" | "createdAt"
  > {
  madeBy: Actor;
}

export function cardholderFromRow(row: CardholderRow): Cardholder {
  const { merchantId, id, firstName, lastName, email, phone, kycStatus, kycRejectionReason, createdAt } = row;
  const madeBy = actorOf(row.madeBy);
  return { merchantId, id, firstName, lastName, email, phone, kycStatus, kycRejectionReason, createdAt, madeBy };
}
