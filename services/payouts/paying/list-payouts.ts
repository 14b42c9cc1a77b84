import { type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { OPENS_PAYOUTS_BY_ACCOUNT, payouts } from "#db/schema/payouts.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { beyond, createdWithin, type Fragment, findRows, inOrder } from "../../list-window.ts";
import { type Found, type Page, readPage, type Window } from "../../pagination.ts";
import type { ListPayoutsQuery } from "../contract.ts";
import { idOfReference, type Payout, type PayoutStatus, payoutFromRow } from "../payout.ts";
import { findPayoutRow } from "../rows.ts";

/** Returns a payout by its id or its reference. Throws RESOURCE_NOT_FOUND. */
export async function getPayout(ctx: MerchantContext, name: string): Promise<Payout> {
  const row = /^\w{1,64}$/.test(name) ? await findPayoutRow({ merchantId: ctx.merchant.id, id: idOfReference(name) }) : undefined;
  if (!row) throw notFound("payout");
  return payoutFromRow(row);
}

/** The value by which payouts are found. */
export type PayoutsBy = { id: string } | { accountNumber: string } | { sessionIds: string[] };

/** Returns the merchant's payouts with this value, newest first, at most `limit`. */
export async function findPayouts({ merchant }: MerchantContext, by: PayoutsBy, limit: number): Promise<Payout[]> {
  const query = sql();
  const rows = await query<
    object[]
  >`select * from payouts where merchant_id = ${merchant.id} and ${isNamed(query, merchant.id, by)} limit ${limit}`;
  return rows.map((row) => payoutFromRow(fromRow(payouts, row)));
}

/** Returns the condition, and the order that its index has. A merchant has few accounts, so they lead to the payouts of a number. */
function isNamed(query: Sql, merchantId: string, by: PayoutsBy): Fragment {
  if ("id" in by) return query`id = ${by.id}`;
  if ("sessionIds" in by) return query`session_id in ${query(by.sessionIds)} order by id desc`;
  return query`
    bank_account_id in (select a.id from bank_accounts a where a.merchant_id = ${merchantId} and a.account_number = ${by.accountNumber})
    and ${query.unsafe(OPENS_PAYOUTS_BY_ACCOUNT)} order by id desc`;
}

/** Literals, not parameters: a plan uses the partial index of a status only then. `paid` has no index, because it is the most frequent. */
const WITH_STATUS: Record<PayoutStatus, (query: Sql) => Fragment> = {
  processing: (query) => query`status = 'processing'`,
  paid: (query) => query`status = 'paid'`,
  failed: (query) => query`status = 'failed'`,
  reversed: (query) => query`status = 'reversed'`,
};

/** Returns one page of payouts, newest first. Throws VALIDATION_ERROR for a bad cursor. */
export const listPayouts = (ctx: MerchantContext, request: ListPayoutsQuery): Promise<Page<Payout>> =>
  readPage({
    owner: `${ctx.merchant.id}/payouts`,
    request,
    positionOf: ({ id }) => id,
    read: (window) => readPayoutsWithin(ctx, request, window),
  });

type Filter = Omit<ListPayoutsQuery, "limit" | "cursor">;

/** Returns the payouts of a window, for this list and for one of several kinds of things. */
export function readPayoutsWithin(ctx: MerchantContext, filter: Filter, window: Window): Promise<Found<Payout>> {
  const { id: merchantId } = ctx.merchant;
  const query = sql();
  const { served, passes } = conditionsOf(query, filter);
  return findRows({
    query,
    window,
    looked: (max, within) => query`
      select t.* from payouts t
      where merchant_id = ${merchantId} ${served} ${createdWithin(query, "payout", filter)} ${beyond(query, within)}
      ${inOrder(query, window)} limit ${max}`,
    passes,
    read: async (found) => (await query<object[]>`${found}`).map((row) => payoutFromRow(fromRow(payouts, row))),
  });
}

/** Returns the condition that one index serves, and the one that it does not. */
function conditionsOf(query: Sql, { status, bank_account_id: accountId }: Filter): { served: Fragment; passes: Fragment | undefined } {
  const ofStatus = status && WITH_STATUS[status](query);
  if (accountId !== undefined) {
    return { served: query`and bank_account_id = ${accountId} and ${query.unsafe(OPENS_PAYOUTS_BY_ACCOUNT)}`, passes: ofStatus };
  }
  if (ofStatus && status !== "paid") return { served: query`and ${ofStatus}`, passes: undefined };
  return { served: query``, passes: ofStatus };
}
