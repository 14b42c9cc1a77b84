import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders } from "#db/schema/cards.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import type { CardholderRow } from "./card.ts";

/** Throws RESOURCE_NOT_FOUND. */
export async function getCardholder({ merchant }: MerchantContext, id: number): Promise<CardholderRow> {
  const [row] = await db()
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchant.id), eq(cardholders.id, id)));
  if (!row) throw notFound("cardholder");
  return row;
}

/** Throws RESOURCE_NOT_FOUND. */
export async function getCardholderByEmail({ merchant }: MerchantContext, email: string): Promise<CardholderRow> {
  const [row] = await db()
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchant.id), eq(cardholders.email, email)));
  if (!row) throw notFound("cardholder");
  return row;
}
