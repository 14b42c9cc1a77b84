import { type Sql, sql } from "#db/client.ts";
import { MERCHANT_AFTER_EXPIRY, OPENS_DUE_LINKS } from "#db/schema/checkout.ts";
import type { Money } from "#lib/money.ts";
import type { MerchantContext } from "../../context.ts";
import { beyond, createdWithin, type Fragment, findRows, inOrder } from "../../list-window.ts";
import { type Found, type Page, readPage, type Window } from "../../pagination.ts";
import type { ListPaymentLinksQuery } from "../contract.ts";
import { asItIsNow, type PaymentLink } from "../payment-link.ts";
import { linkColumns, linkFromRaw, type RawLink } from "../rows.ts";

export interface LinksQuery extends ListPaymentLinksQuery {
  /** No index serves amounts: such a list is a search (`MAX_SEARCHED_ROWS`). */
  min_amount?: Money | undefined;
  max_amount?: Money | undefined;
}

/**
 * Returns one page of links, newest first. A pending link whose time is over counts as expired, also between two sweeps. Throws
 * VALIDATION_ERROR for a bad cursor.
 */
export const listPaymentLinks = (ctx: MerchantContext, request: LinksQuery): Promise<Page<PaymentLink>> =>
  readPage({
    owner: `${ctx.merchant.id}/payment-links`,
    request,
    positionOf: ({ id }) => id,
    read: (window) => readLinksWithin(ctx, request, window),
  });

/** Returns the links of a window, for this list and for one of several kinds of things. */
export function readLinksWithin(
  { merchant }: MerchantContext,
  request: Omit<LinksQuery, "limit">,
  window: Window,
): Promise<Found<PaymentLink>> {
  const { id: merchantId } = merchant;
  const query = sql();
  return findRows({
    query,
    window,
    looked: (max, within) => newestOf(query, merchantId, request, within, max),
    passes: amountWithin(query, request),
    read: async (found) => {
      const rows = await query<RawLink[]>`
        select ${linkColumns(query, merchantId)} from (${found}) t
        join payment_links l on l.merchant_id = ${merchantId} and l.id = t.id ${inOrder(query, window)}`;
      return rows.map((row) => asItIsNow(linkFromRaw(row)));
    },
  });
}

/** Returns a query of at most `max` links next to the window's position: those that the indexes find. */
function newestOf(query: Sql, merchantId: string, request: Omit<LinksQuery, "limit">, window: Window, max: number): Fragment {
  const those = (condition: Fragment, merchant = "t.merchant_id") => query`
    select t.id, t.amount, t.created_at from payment_links t
    where ${query.unsafe(merchant)} = ${merchantId} ${condition}
      ${createdWithin(query, "paymentLink", request)} ${beyond(query, window)}
    ${inOrder(query, window)} limit ${max}`;
  // Literals, not parameters: a plan uses the partial index of a status only then.
  switch (request.status) {
    case undefined:
      return those(query``);
    case "success":
      return those(query`and t.status = 'success'`);
    case "pending":
      return those(query`and t.status = 'pending' and t.expires_at > now()`);
    case "expired": {
      // Few due links exist at a time, because the sweep expires them. The merchant's own index would read all its pending links instead.
      const due = those(
        query`and t.status = 'pending' and t.expires_at <= now() and t.${query.unsafe(OPENS_DUE_LINKS)}`,
        MERCHANT_AFTER_EXPIRY,
      );
      return query`select * from ((${those(query`and t.status = 'expired'`)}) union all (${due})) t ${inOrder(query, window)} limit ${max}`;
    }
  }
}

/** Returns the condition on the amount, or undefined where any amount will do. */
function amountWithin(query: Sql, { min_amount: min, max_amount: max }: Omit<LinksQuery, "limit">): Fragment | undefined {
  if (!min && !max) return undefined;
  return query`true ${min ? query`and t.amount >= ${String(min.minor)}::bigint` : query``}
    ${max ? query`and t.amount <= ${String(max.minor)}::bigint` : query``}`;
}
