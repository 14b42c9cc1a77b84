import { type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { OPENS_PURCHASES_BY_SERVICE, purchases } from "#db/schema/vtu.ts";
import { toE164, toNigerianMobile } from "#lib/phone.ts";
import { compactNumber } from "#lib/typed-text.ts";
import type { MerchantContext } from "../../context.ts";
import { beyond, createdWithin, type Fragment, findRows, inOrder } from "../../list-window.ts";
import { type Found, type Page, readPage, type Window } from "../../pagination.ts";
import type { ListPurchasesQuery } from "../contract.ts";
import type { PurchaseStatus, VisiblePurchase } from "../purchase.ts";
import { showInList } from "./show-secrets.ts";

/**
 * Literals, not parameters: a plan uses the partial index of a status only then. `success` has no index, because it is the most frequent.
 */
const WITH_STATUS: Record<PurchaseStatus, (query: Sql) => Fragment> = {
  processing: (query) => query`status = 'processing'`,
  success: (query) => query`status = 'success'`,
  failed: (query) => query`status = 'failed'`,
  reversed: (query) => query`status = 'reversed'`,
};

/** Returns one page of purchases, newest first, for members without tokens and pins. Throws VALIDATION_ERROR for a bad cursor. */
export const listPurchases = (ctx: MerchantContext, request: ListPurchasesQuery): Promise<Page<VisiblePurchase>> =>
  readPage({
    owner: `${ctx.merchant.id}/purchases`,
    request,
    positionOf: ({ id }) => id,
    read: (window) => readPurchasesWithin(ctx, request, window),
  });

type Filter = Omit<ListPurchasesQuery, "limit">;

/** Returns the purchases of a window, for this list and for one of several kinds of things. Members get them without tokens and pins. */
export function readPurchasesWithin(ctx: MerchantContext, request: Filter, window: Window): Promise<Found<VisiblePurchase>> {
  const { id: merchantId } = ctx.merchant;
  const query = sql();
  const order = inOrder(query, window);
  const { served, passes } = conditionsOf(query, request);
  return findRows({
    query,
    window,
    looked: (max, within) => query`
      select t.id, t.status, t.service, t.created_at from purchases t
      where merchant_id = ${merchantId} ${served}
        ${createdWithin(query, "purchase", request)} ${beyond(query, within)}
      ${order} limit ${max}`,
    passes,
    read: async (found) => {
      const rows = await query`
        select p.* from (${found}) t join purchases p on p.merchant_id = ${merchantId} and p.id = t.id ${order}`;
      return rows.map((row) => showInList(ctx, fromRow(purchases, row)));
    },
  });
}

/** Returns the conditions that one index serves, and those that it does not: the most selective of them leads. */
function conditionsOf(query: Sql, { status, service, recipient }: Filter): { served: Fragment; passes: Fragment | undefined } {
  const ofStatus = status && WITH_STATUS[status](query);
  const ofService = service && query`service = ${service}`;
  if (recipient) {
    const ofRecipient = query`and recipient in ${query(asStored(recipient))}`;
    return { served: query`${ofRecipient} ${and(query, ofStatus)} ${and(query, ofService)}`, passes: undefined };
  }
  if (ofStatus && status !== "success") return { served: and(query, ofStatus), passes: ofService };
  if (ofService) return { served: query`${and(query, ofService)} and ${query.unsafe(OPENS_PURCHASES_BY_SERVICE)}`, passes: ofStatus };
  return { served: query``, passes: ofStatus };
}

const and = (query: Sql, condition: Fragment | undefined): Fragment => (condition ? query`and ${condition}` : query``);

/** A number may be that of a phone and that of a card or a meter too: `7034562211` is both. */
function asStored(recipient: string): string[] {
  const number = compactNumber(recipient);
  const phone = toNigerianMobile(recipient) ?? toE164(recipient);
  return phone === undefined || phone === number ? [number] : [number, phone];
}
