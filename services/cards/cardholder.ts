import type { cardholders } from "#db/schema/cards.ts";

export type CardholderRow = typeof cardholders.$inferSelect;

/** A person whom cards are issued to. The issuer's names for the person stay in the row. */
export type Cardholder = Pick<
  CardholderRow,
  "merchantId" | "id" | "firstName" | "lastName" | "email" | "phone" | "kycStatus" | "kycRejectionReason" | "createdAt"
>;

export function cardholderFromRow(row: CardholderRow): Cardholder {
  const { merchantId, id, firstName, lastName, email, phone, kycStatus, kycRejectionReason, createdAt } = row;
  return { merchantId, id, firstName, lastName, email, phone, kycStatus, kycRejectionReason, createdAt };
}
