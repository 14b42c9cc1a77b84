import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { purchases } from "#db/schema/vtu.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { type OpenPurchase, openPurchaseFromRow, type PurchaseRow } from "./purchase.ts";

/** Returns the row, for verbs of this service. */
export async function findPurchase(merchantId: string, id: string): Promise<PurchaseRow | undefined> {
  const [row] = await db()
    .select()
    .from(purchases)
    .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id)));
  return row;
}

/** Returns a purchase by its reference. Throws RESOURCE_NOT_FOUND, and `CannotOpen` where its tokens were sealed under another key. */
export async function getPurchase({ merchant }: MerchantContext, reference: string): Promise<OpenPurchase> {
  const row = /^\w{1,64}$/.test(reference) ? await findPurchase(merchant.id, reference) : undefined;
  if (!row) throw notFound("purchase");
  return openPurchaseFromRow(row);
}
