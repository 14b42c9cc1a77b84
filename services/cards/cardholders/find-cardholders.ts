import { and, desc, eq, isNotNull } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders } from "#db/schema/cards.ts";
import type { MerchantContext } from "../../context.ts";
import { type Cardholder, cardholderFromRow } from "../cardholder.ts";

/** The value by which cardholders are found. The email is in lower case, the phone in E.164. */
export type CardholdersBy = { id: number } | { email: string } | { phone: string };

/** Returns the merchant's cardholders with this value, newest first, at most `limit`. */
export async function findCardholders({ merchant }: MerchantContext, by: CardholdersBy, limit: number): Promise<Cardholder[]> {
  const condition = () => {
    if ("id" in by) return eq(cardholders.id, by.id);
    if ("email" in by) return eq(cardholders.email, by.email);
    return and(eq(cardholders.phone, by.phone), isNotNull(cardholders.phone));
  };
  const rows = await db()
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchant.id), condition()))
    .orderBy(desc(cardholders.createdAt))
    .limit(limit);
  return rows.map(cardholderFromRow);
}
