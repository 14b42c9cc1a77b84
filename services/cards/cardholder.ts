import type { cardholders } from "#db/schema/cards.ts";

export type CardholderRow = typeof cardholders.$inferSelect;

/** A person to whom cards are issued. The issuer's reference for the person stays in the row. */
export type Cardholder = Pick<
  CardholderRow,
  "merchantId" | "id" | "firstName" | "lastName" | "email" | "phone" | "kycStatus" | "kycRejectionReason" | "createdAt"
>;

export function cardholderFromRow(row: CardholderRow): Cardholder {
  const { merchantId, id, firstName, lastName, email, phone, kycStatus, kycRejectionReason, createdAt } = row;
  return { merchantId, id, firstName, lastName, email, phone, kycStatus, kycRejectionReason, createdAt };
}
