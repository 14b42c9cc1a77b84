import { type Sql, sql } from "#db/client.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import type { ListPaymentLinksQuery } from "./contract.ts";
import { expireLink } from "./expire-links.ts";
import type { PaymentLink } from "./payment-link.ts";
import { LINK_COLUMNS, linkFromRaw, type RawLink } from "./rows.ts";

/** Literals, not parameters: a plan uses the partial index of a status only then. */
const WITH_STATUS = {
  pending: (query: Sql) => query`and l.status = 'pending'`,
  success: (query: Sql) => query`and l.status = 'success'`,
  expired: (query: Sql) => query`and l.status = 'expired'`,
};

/** Returns one page of links, newest first. Throws VALIDATION_ERROR for a bad cursor. */
export async function listPaymentLinks({ merchant }: MerchantContext, request: ListPaymentLinksQuery): Promise<Page<PaymentLink>> {
  const owner = `${merchant.id}/payment-links`;
  const before = request.cursor ? decodeCursor(owner, request.cursor) : undefined;
  await expireOverdueLinks(merchant.id);
  const query = sql();
  const { status, created_after: after, created_before: until } = request;
  const rows = await query<RawLink[]>`
    select ${query.unsafe(LINK_COLUMNS)} from payment_links l
    where l.merchant_id = ${merchant.id}
      ${before ? query`and l.id < ${before}` : query``}
      ${status ? WITH_STATUS[status](query) : query``}
      ${after ? query`and l.created_at >= ${after.toISOString()}` : query``}
      ${until ? query`and l.created_at < ${until.toISOString()}` : query``}
    order by l.id desc limit ${request.limit + 1}`;
  return toPage(owner, rows.map(linkFromRaw), request.limit, ({ id }) => id);
}

/**
 * Expires overdue links of the merchant, so that a list filtered by status is right between two sweeps. At most 100; the sweep expires the
 * rest.
 */
async function expireOverdueLinks(merchantId: string): Promise<void> {
  const due = await sql()<{ id: string }[]>`
    select id from payment_links where merchant_id = ${merchantId} and status = 'pending' and expires_at <= now() order by expires_at limit 100`;
  for (const { id } of due) await expireLink(merchantId, id);
}
