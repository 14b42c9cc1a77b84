import { type Sql, sql } from "#db/client.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import type { ListPaymentLinksQuery } from "./contract.ts";
import { expireLink } from "./expire-links.ts";
import type { PaymentLink } from "./payment-link.ts";
import { LINK_COLUMNS, linkFromRaw, type RawLink } from "./rows.ts";

/** Written out, not a parameter: only then does a plan use the partial index of that status. */
const WITH_STATUS = {
  pending: (query: Sql) => query`and l.status = 'pending'`,
  success: (query: Sql) => query`and l.status = 'success'`,
  expired: (query: Sql) => query`and l.status = 'expired'`,
};

/** Returns one page of links, newest first. */
export async function listPaymentLinks({ merchant }: MerchantContext, request: ListPaymentLinksQuery): Promise<Page<PaymentLink>> {
  const owner = `${merchant.id}/payment-links`;
  const before = request.cursor ? decodeCursor(owner, request.cursor) : undefined;
  await expireThoseDue(merchant.id);
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

/** So that a list filtered by status tells the truth between two sweeps. Bounded; the sweep does the rest. */
async function expireThoseDue(merchantId: string): Promise<void> {
  const due = await sql()<{ id: string }[]>`
    select id from payment_links where merchant_id = ${merchantId} and status = 'pending' and expires_at <= now() order by expires_at limit 100`;
  for (const { id } of due) await expireLink(merchantId, id);
}
