import { and, desc, eq, inArray } from "drizzle-orm";
import { db, type Sql, sql } from "#db/client.ts";
import { MERCHANT_AFTER_RECIPIENT, OPENS_PURCHASES_BY_SERVICE, purchases } from "#db/schema/vtu.ts";
import { toE164 } from "#lib/phone.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import type { ListPurchasesQuery } from "./contract.ts";
import type { PurchaseStatus, VisiblePurchase } from "./purchase.ts";
import { showInList } from "./show-secrets.ts";

/**
 * Literals, not parameters: a plan uses the partial index of a status only then. `success` has no index, because it is the most frequent:
 * the primary key serves it.
 */
const WITH_STATUS: Record<PurchaseStatus, (query: Sql) => ReturnType<Sql>> = {
  processing: (query) => query`and status = 'processing'`,
  success: (query) => query`and status = 'success'`,
  failed: (query) => query`and status = 'failed'`,
  reversed: (query) => query`and status = 'reversed'`,
};

/** Returns one page of purchases, newest first, for members without tokens and pins. Throws VALIDATION_ERROR for a bad cursor. */
export async function listPurchases(ctx: MerchantContext, request: ListPurchasesQuery): Promise<Page<VisiblePurchase>> {
  const { merchant } = ctx;
  const owner = `${merchant.id}/purchases`;
  const before = request.cursor ? decodeCursor(owner, request.cursor) : undefined;
  const { status, service, recipient, limit } = request;
  const query = sql();
  const found = await query<{ id: string }[]>`
    select id from purchases where ${query.unsafe(recipient ? MERCHANT_AFTER_RECIPIENT : "merchant_id")} = ${merchant.id}
      ${before ? query`and id < ${before}` : query``}
      ${status ? WITH_STATUS[status](query) : query``}
      ${service ? query`and service = ${service} and ${query.unsafe(OPENS_PURCHASES_BY_SERVICE)}` : query``}
      ${recipient ? query`and recipient = ${asStored(recipient)}` : query``}
    order by id desc limit ${limit + 1}`;
  const ids = found.map(({ id }) => id);
  const rows = await db()
    .select()
    .from(purchases)
    .where(and(eq(purchases.merchantId, merchant.id), inArray(purchases.id, ids)))
    .orderBy(desc(purchases.id));
  const page = toPage(owner, rows, limit, ({ id }) => id);
  return { ...page, items: page.items.map((row) => showInList(ctx, row)) };
}

const asStored = (recipient: string) => toE164(recipient) ?? recipient.replaceAll(/[\s-]/g, "").toUpperCase();
