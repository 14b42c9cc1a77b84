import { and, desc, eq, inArray } from "drizzle-orm";
import { db, type Sql, sql } from "#db/client.ts";
import { purchases } from "#db/schema/vtu.ts";
import { toE164 } from "#lib/phone.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import type { ListPurchasesQuery } from "./contract.ts";
import type { PurchaseRow, PurchaseStatus } from "./purchase.ts";

export async function findPurchase(merchantId: string, id: string): Promise<PurchaseRow | undefined> {
  const [row] = await db()
    .select()
    .from(purchases)
    .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id)));
  return row;
}

/** By its reference. Throws RESOURCE_NOT_FOUND. */
export async function getPurchase({ merchant }: MerchantContext, reference: string): Promise<PurchaseRow> {
  const row = /^\w{1,64}$/.test(reference) ? await findPurchase(merchant.id, reference) : undefined;
  if (!row) throw notFound("purchase");
  return row;
}

/** Written out, not a parameter: only then does a plan use the partial index of that status. Most are successes, which the primary key finds. */
const WITH_STATUS: Record<PurchaseStatus, (query: Sql) => ReturnType<Sql>> = {
  processing: (query) => query`and status = 'processing'`,
  success: (query) => query`and status = 'success'`,
  failed: (query) => query`and status = 'failed'`,
  reversed: (query) => query`and status = 'reversed'`,
};

/** Newest first. A recipient's are found by the recipient, whoever bought for it. */
export async function listPurchases({ merchant }: MerchantContext, request: ListPurchasesQuery): Promise<Page<PurchaseRow>> {
  const owner = `${merchant.id}/purchases`;
  const before = request.cursor ? decodeCursor(owner, request.cursor) : undefined;
  const { status, service, recipient, limit } = request;
  const query = sql();
  const found = await query<{ id: string }[]>`
    select id from purchases where ${recipient ? query`merchant_id || ''` : query`merchant_id`} = ${merchant.id}
      ${before ? query`and id < ${before}` : query``}
      ${status ? WITH_STATUS[status](query) : query``}
      ${service ? query`and service = ${service} and amount > 0` : query``}
      ${recipient ? query`and recipient = ${asStored(recipient)}` : query``}
    order by id desc limit ${limit + 1}`;
  const ids = found.map(({ id }) => id);
  const rows = await db()
    .select()
    .from(purchases)
    .where(and(eq(purchases.merchantId, merchant.id), inArray(purchases.id, ids)))
    .orderBy(desc(purchases.id));
  return toPage(owner, rows, limit, ({ id }) => id);
}

const asStored = (recipient: string) => toE164(recipient) ?? recipient.replaceAll(/[\s-]/g, "").toUpperCase();
