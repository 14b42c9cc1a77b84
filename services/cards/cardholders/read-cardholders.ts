import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders } from "#db/schema/cards.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { type Cardholder, type CardholderRow, cardholderFromRow } from "../cardholder.ts";

/** Returns a cardholder of the merchant. Throws RESOURCE_NOT_FOUND. */
export async function getCardholder({ merchant }: MerchantContext, id: number): Promise<Cardholder> {
  const [row] = await db()
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchant.id), eq(cardholders.id, id)));
  if (!row) throw notFound("cardholder");
  return cardholderFromRow(row);
}

/** Returns the merchant's cardholder with this email, in lower case. Throws RESOURCE_NOT_FOUND. */
export const getCardholderByEmail = async (ctx: MerchantContext, email: string): Promise<Cardholder> =>
  cardholderFromRow(await getRowByEmail(ctx, email));

/** As `getCardholderByEmail`, but returns the row, for verbs of this service. */
export async function getRowByEmail({ merchant }: MerchantContext, email: string): Promise<CardholderRow> {
  const [row] = await db()
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchant.id), eq(cardholders.email, email)));
  if (!row) throw notFound("cardholder");
  return row;
}
