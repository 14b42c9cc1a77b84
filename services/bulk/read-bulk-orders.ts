import { type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { bulkOrders } from "#db/schema/bulk.ts";
import { type Money, money } from "#lib/money.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext, TenantContext } from "../context.ts";
import { beyond, type Fragment, inOrder } from "../list-window.ts";
import { type Page, type PageRequest, readPage } from "../pagination.ts";
import type { BulkOrderRow } from "./bulk-row.ts";
import type { BulkRowStatus } from "./contract.ts";
import { rowsWithPurchases } from "./rows-with-purchases.ts";

/** A file of purchases, and how far it has come. */
export interface BulkOrder extends BulkOrderRow {
  /** How many rows have each status. */
  counts: Record<BulkRowStatus | "processing" | "total", number>;
  /** Naira: the present price of the ready rows. */
  toBuy: Money;
  /** Naira: the price of the purchases, less refunds. */
  spent: Money;
}

/** Returns the row, for verbs of this service. */
export async function findBulkOrder(merchantId: string, id: string): Promise<BulkOrderRow | undefined> {
  const [row] = await sql()`select * from bulk_orders where merchant_id = ${merchantId} and id = ${id}`;
  return row && fromRow(bulkOrders, row);
}

/** Returns a bulk order with its progress. Throws RESOURCE_NOT_FOUND. */
export async function getBulkOrder({ merchant }: TenantContext, id: string): Promise<BulkOrder> {
  const row = await findBulkOrder(merchant.id, id);
  if (!row) throw notFound("bulk order");
  const [order] = await withProgress(merchant.id, [row]);
  if (!order) throw new Error("an order without progress");
  return order;
}

/** Returns one page of bulk orders, newest first. Throws VALIDATION_ERROR for a bad cursor. */
export const listBulkOrders = ({ merchant }: MerchantContext, request: PageRequest): Promise<Page<BulkOrder>> =>
  readPage({
    owner: `${merchant.id}/bulk-orders`,
    request,
    positionOf: ({ id }) => id,
    read: async (window) => {
      const query = sql();
      const rows = await query`
        select t.* from bulk_orders t where t.merchant_id = ${merchant.id} ${beyond(query, window)} ${inOrder(query, window)} limit ${window.limit}`;
      return {
        rows: await withProgress(
          merchant.id,
          rows.map((row) => fromRow(bulkOrders, row)),
        ),
      };
    },
  });

interface Tally {
  bulk_order_id: string;
  status: BulkRowStatus;
  is_processing: boolean;
  rows: number;
  to_buy: string;
  spent: string;
}

async function withProgress(merchantId: string, orders: BulkOrderRow[]): Promise<BulkOrder[]> {
  const tallies = await readTallies(
    sql(),
    merchantId,
    orders.map(({ id }) => id),
  );
  return orders.map((order) => {
    const mine = tallies.filter(({ bulk_order_id }) => bulk_order_id === order.id);
    const countOf = (passes: (tally: Tally) => boolean) => mine.filter(passes).reduce((sum, { rows }) => sum + rows, 0);
    const of = (status: BulkRowStatus) => countOf((tally) => tally.status === status);
    const sum = (field: "to_buy" | "spent") => mine.reduce((total, tally) => total + BigInt(tally[field]), 0n);
    return {
      ...order,
      counts: {
        ...{ ready: of("ready"), invalid: of("invalid"), duplicate: of("duplicate"), bought: of("bought"), failed: of("failed") },
        ...{ skipped: of("skipped"), processing: countOf(({ is_processing }) => is_processing), total: countOf(() => true) },
      },
      toBuy: money(sum("to_buy"), "NGN"),
      spent: money(sum("spent"), "NGN"),
    };
  });
}

const readTallies = (query: Sql, merchantId: string, ids: string[]): Promise<Tally[]> => query<Tally[]>`
  select bulk_order_id, status, coalesce(purchase_status = 'processing', false) as is_processing, count(*)::int as rows,
    coalesce(sum(coalesce(present_amount, amount)) filter (where status = 'ready'), 0)::text as to_buy,
    coalesce(sum(amount - refunded), 0)::text as spent
  from (${rowsWithPurchases(query, merchantId, query`r.bulk_order_id = any(${ids}::text[])` as Fragment)}) t
  group by 1, 2, 3`;
