import { sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { bulkRows } from "#db/schema/bulk.ts";
import { formatMoney, money } from "#lib/money.ts";
import { invalid, Problem } from "#lib/problem.ts";
import type { MemberContext } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import { getWallet } from "../ledger/index.ts";
import { requireUnrestrictedInLive } from "../members/index.ts";
import { verb } from "../verb.ts";
import type { BulkOrderRow, BulkRow } from "./bulk-row.ts";
import type { BulkOrderTerms } from "./contract.ts";
import { findDuplicates } from "./duplicates.ts";
import { oneTransactionAtATime } from "./one-transaction-at-a-time.ts";
import { type BulkOrder, getBulkOrder } from "./read-bulk-orders.ts";
import { lockBulkOrder, supersedeRowLeases } from "./supersede-row-leases.ts";

/** Starts a draft, so that the worker buys its rows. Throws as `start` does. */
export const confirmBulkOrder = verb(
  { permission: "vtu:write" },
  (ctx: MemberContext, id: string, terms: BulkOrderTerms): Promise<BulkOrder> => start(ctx, id, "draft", terms),
);

/** Resumes a paused order, which the worker then buys as this member. Throws as `start` does. */
export const resumeBulkOrder = verb(
  { permission: "vtu:write" },
  (ctx: MemberContext, id: string, terms: BulkOrderTerms): Promise<BulkOrder> => start(ctx, id, "paused", terms),
);

/** Thrown to roll back the transaction when rows have become duplicates. */
class NewDuplicates extends Error {
  readonly found: Map<number, string>;
  constructor(found: Map<number, string>) {
    super("new duplicates");
    this.found = found;
  }
}

/**
 * Fixes the rows and their prices, and sets the order running. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR in any other state,
 * PRODUCT_UNAVAILABLE, DUPLICATE_PURCHASE where rows have become duplicates since they were checked, PRICE_CHANGED and
 * INSUFFICIENT_BALANCE. Nothing is bought then.
 */
async function start(ctx: MemberContext, id: string, from: "draft" | "paused", terms: BulkOrderTerms): Promise<BulkOrder> {
  await requireUnrestrictedInLive(ctx);
  try {
    // One at a time, so that of two orders with the same rows the second one sees the first.
    await oneTransactionAtATime(ctx, async (tx) => {
      await markExecuted(tx, ctx);
      const order = await lockBulkOrder(tx, ctx, id);
      if (order.status !== from) throw invalid("id", `This bulk order is ${order.status}: it is not ${from}, so this is not possible.`);
      await supersedeRowLeases(tx, order);
      await choose(tx, order, terms);
      await reprice(tx, order);
      await check(tx, ctx, order, terms);
      await tx.execute(sql`
        update bulk_orders set status = 'running', buyer_id = ${ctx.actor.id}, confirmed_at = coalesce(confirmed_at, (select now())), locked_until = date_trunc('milliseconds', now()),
          fencing_token = fencing_token + 1, pause_reason = null, pause_message = null, paused_row = null
        where merchant_id = ${order.merchantId} and id = ${id}`);
    });
  } catch (error) {
    if (!(error instanceof NewDuplicates)) throw error;
    await markDuplicates(ctx, id, error.found);
    const rows = [...error.found.keys()].sort((a, b) => a - b).join(", ");
    throw new Problem("DUPLICATE_PURCHASE", `The same was bought or ordered meanwhile: row ${rows}. Tick these rows or leave them out.`);
  }
  return getBulkOrder(ctx, id);
}

async function readRows(tx: Tx, { merchantId, id }: BulkOrderRow): Promise<BulkRow[]> {
  const rows = await tx.execute(sql`select * from bulk_rows where merchant_id = ${merchantId} and bulk_order_id = ${id} order by row`);
  return rows.map((row) => fromRow(bulkRows, row));
}

/** Makes the ticked duplicates ready, and skips the other duplicates and the rows that the member left out. */
async function choose(tx: Tx, order: BulkOrderRow, { duplicate_rows: ticked, skip_rows: skipped }: BulkOrderTerms): Promise<void> {
  const statuses = new Map((await readRows(tx, order)).map(({ row, status }) => [row, status]));
  const wrong = ticked.find((row) => statuses.get(row) !== "duplicate");
  if (wrong !== undefined) throw invalid("duplicate_rows", `Row ${wrong} is no duplicate. Send the rows whose status is duplicate.`);
  const gone = skipped.find((row) => !["ready", "duplicate"].includes(statuses.get(row) ?? ""));
  if (gone !== undefined) throw invalid("skip_rows", `Row ${gone} is not waiting to be bought. Send the rows whose status is ready.`);
  await tx.execute(sql`
    update bulk_rows set
      status = case when row = any(${sql.param(skipped)}::int[]) or (status = 'duplicate' and row <> all(${sql.param(ticked)}::int[]))
        then 'skipped'::bulk_row_status else 'ready' end,
      allow_duplicate = allow_duplicate or row = any(${sql.param(ticked)}::int[])
    where merchant_id = ${order.merchantId} and bulk_order_id = ${order.id} and status in ('ready', 'duplicate')`);
}

/** Gives the ready rows their present prices. Throws PRODUCT_UNAVAILABLE. */
async function reprice(tx: Tx, { merchantId, id }: BulkOrderRow): Promise<void> {
  const gone = await tx.execute<{ row: number }>(sql`
    select r.row from bulk_rows r join products p on p.id = r.product_id
    where r.merchant_id = ${merchantId} and r.bulk_order_id = ${id} and r.status = 'ready' and p.withdrawn_at is not null order by r.row`);
  if (gone.length > 0) {
    const rows = gone.map(({ row }) => row).join(", ");
    throw new Problem("PRODUCT_UNAVAILABLE", `Some rows name a product that is not sold any more: row ${rows}. Leave them out.`);
  }
  await tx.execute(sql`
    update bulk_rows r set amount = p.selling_price from products p
    where r.merchant_id = ${merchantId} and r.bulk_order_id = ${id} and r.status = 'ready' and p.id = r.product_id and p.selling_price <> r.amount`);
}

async function check(tx: Tx, ctx: MemberContext, order: BulkOrderRow, { expected_total: expected }: BulkOrderTerms): Promise<void> {
  const ready = (await readRows(tx, order)).filter(({ status }) => status === "ready");
  if (order.status === "draft" && ready.length === 0) throw invalid("id", "No row is left to buy.");
  const found = await findDuplicates(tx, ctx, order.id, ready);
  for (const { row, allowDuplicate } of ready) if (allowDuplicate) found.delete(row);
  if (found.size > 0) throw new NewDuplicates(found);
  const total = money(
    ready.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n),
    "NGN",
  );
  if (total.minor !== expected.minor) {
    const message = `The rows to buy cost ${formatMoney(total)} together, not ${formatMoney(expected)}. If that suits you, expect it.`;
    throw new Problem("PRICE_CHANGED", message);
  }
  const { available } = await getWallet(ctx, tx);
  if (available.minor < total.minor) {
    const message = `The rows cost ${formatMoney(total)}, and ${formatMoney(available)} of your wallet is available. Add money, or leave rows out.`;
    throw new Problem("INSUFFICIENT_BALANCE", message);
  }
}

async function markDuplicates(ctx: MemberContext, id: string, found: Map<number, string>): Promise<void> {
  await transaction(async (tx) => {
    const { status } = await lockBulkOrder(tx, ctx, id);
    if (status !== "draft" && status !== "paused") return;
    for (const [row, duplicateOf] of found) {
      await tx.execute(sql`
        update bulk_rows set status = 'duplicate', duplicate_of = ${duplicateOf}
        where merchant_id = ${ctx.merchant.id} and bulk_order_id = ${id} and row = ${row} and status = 'ready' and not allow_duplicate`);
    }
  });
}
