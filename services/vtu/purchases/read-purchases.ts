import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { purchases } from "#db/schema/vtu.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import type { PurchaseRow, VisiblePurchase } from "../purchase.ts";
import { showOne } from "./show-secrets.ts";

/** Returns the row, for verbs of this service. */
export async function findPurchase(merchantId: string, id: string): Promise<PurchaseRow | undefined> {
  const [row] = await db()
    .select()
    .from(purchases)
    .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id)));
  return row;
}

/**
 * Returns a purchase by its reference, with its tokens and pins if the caller may see them (`showOne`: a member's view is noted in the
 * audit). Throws RESOURCE_NOT_FOUND.
 */
export async function getPurchase(ctx: MerchantContext, reference: string): Promise<VisiblePurchase> {
  const row = /^\w{1,64}$/.test(reference) ? await findPurchase(ctx.merchant.id, reference) : undefined;
  if (!row) throw notFound("purchase");
  return showOne(ctx, row);
}
