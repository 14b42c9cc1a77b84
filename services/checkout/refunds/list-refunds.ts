import { type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { OPENS_REFUNDS_OF_A_LINK, refunds } from "#db/schema/refunds.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { beyond, createdWithin, type Fragment, findRows, inOrder } from "../../list-window.ts";
import { type Found, type Page, readPage, type Window } from "../../pagination.ts";
import type { ListRefundsQuery } from "../contract.ts";
import { idOfRefund, type Refund, type RefundStatus, refundFromRow } from "../refund.ts";
import { findStoredLink } from "../rows.ts";
import { findRefundRow } from "./refund-rows.ts";

/** Returns a refund by its id or its reference. Throws RESOURCE_NOT_FOUND. */
export async function getRefund(ctx: MerchantContext, name: string): Promise<Refund> {
  const row = /^\w{1,64}$/.test(name) ? await findRefundRow({ merchantId: ctx.merchant.id, id: idOfRefund(name) }) : undefined;
  if (!row) throw notFound("refund");
  return refundFromRow(row);
}

/** Returns the refunds of a link, newest first, at most `limit`. */
export async function listRefundsOfLink({ merchant }: MerchantContext, linkId: string, limit: number): Promise<Refund[]> {
  const query = sql();
  const rows = await query<object[]>`
    select * from refunds where merchant_id = ${merchant.id} and link_id = ${linkId} and ${query.unsafe(OPENS_REFUNDS_OF_A_LINK)}
    order by id desc limit ${limit}`;
  return rows.map((row) => refundFromRow(fromRow(refunds, row)));
}

/** The value by which refunds are found. */
export type RefundsBy = { id: string } | { accountNumber: string } | { sessionIds: string[] };

/** Returns the merchant's refunds with this value, newest first, at most `limit`. */
export async function findRefunds({ merchant }: MerchantContext, by: RefundsBy, limit: number): Promise<Refund[]> {
  const query = sql();
  const rows = await query<object[]>`select * from refunds where merchant_id = ${merchant.id} and ${isNamed(query, by)} limit ${limit}`;
  return rows.map((row) => refundFromRow(fromRow(refunds, row)));
}

function isNamed(query: Sql, by: RefundsBy): Fragment {
  if ("id" in by) return query`id = ${by.id}`;
  if ("sessionIds" in by) return query`session_id in ${query(by.sessionIds)} order by id desc`;
  return query`account_number = ${by.accountNumber} order by id desc`;
}

/** Literals, not parameters: a plan uses the partial index of a status only then. `paid` has no index, because it is the most frequent. */
const WITH_STATUS: Record<RefundStatus | "open", (query: Sql) => Fragment> = {
  open: (query) => query`status in ('needs_account', 'processing')`,
  needs_account: (query) => query`status = 'needs_account'`,
  processing: (query) => query`status = 'processing'`,
  paid: (query) => query`status = 'paid'`,
  failed: (query) => query`status = 'failed'`,
  reversed: (query) => query`status = 'reversed'`,
};

/** Returns one page of refunds, newest first. Throws VALIDATION_ERROR for a bad cursor. */
export async function listRefunds(
  ctx: MerchantContext,
  { payment_reference: reference, ...request }: ListRefundsQuery,
): Promise<Page<Refund>> {
  const link = reference === undefined ? undefined : await findStoredLink(ctx.merchant.id, reference);
  const filter = { ...request, linkId: reference === undefined ? undefined : (link?.id ?? "none") };
  return readPage({
    owner: `${ctx.merchant.id}/refunds`,
    request,
    positionOf: ({ id }) => id,
    read: (window) => readRefundsWithin(ctx, filter, window),
  });
}

interface Filter extends Pick<ListRefundsQuery, "created_after" | "created_before"> {
  /** `open`: it needs an account, or is processing. */
  status?: RefundStatus | "open" | undefined;
  linkId?: string | undefined;
}

/** Returns the refunds of a window, for this list and for one of several kinds of things. */
export function readRefundsWithin(ctx: MerchantContext, filter: Filter, window: Window): Promise<Found<Refund>> {
  const query = sql();
  const { served, passes } = conditionsOf(query, filter);
  return findRows({
    query,
    window,
    looked: (max, within) => query`
      select t.* from refunds t
      where merchant_id = ${ctx.merchant.id} ${served} ${createdWithin(query, "refund", filter)} ${beyond(query, within)}
      ${inOrder(query, window)} limit ${max}`,
    passes,
    read: async (found) => (await query<object[]>`${found}`).map((row) => refundFromRow(fromRow(refunds, row))),
  });
}

/** Returns the condition that one index serves, and the one that it does not. */
function conditionsOf(query: Sql, { status, linkId }: Filter): { served: Fragment; passes: Fragment | undefined } {
  const ofStatus = status && WITH_STATUS[status](query);
  if (linkId !== undefined)
    return { served: query`and link_id = ${linkId} and ${query.unsafe(OPENS_REFUNDS_OF_A_LINK)}`, passes: ofStatus };
  if (ofStatus && status !== "paid") return { served: query`and ${ofStatus}`, passes: undefined };
  return { served: query``, passes: ofStatus };
}
