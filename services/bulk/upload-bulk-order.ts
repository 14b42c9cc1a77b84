import { setImmediate } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { bulkOrders, bulkRows } from "#db/schema/bulk.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { type MemberContext, madeBy } from "../context.ts";
import { verb } from "../verb.ts";
import { checkRows } from "./check-rows.ts";
import { findDuplicates } from "./duplicates.ts";
import { oneTransactionAtATime } from "./one-transaction-at-a-time.ts";
import { parseFile } from "./parse-file.ts";
import { type BulkOrder, findBulkOrder, getBulkOrder } from "./read-bulk-orders.ts";

const MAX_DRAFTS = 20;

/**
 * Stores a CSV file as a draft, with each row checked: `ready`, `invalid` with its message, or `duplicate`. Nothing is bought. Throws
 * VALIDATION_ERROR for a file that cannot be read and beside 20 other drafts, PAYLOAD_TOO_LARGE for more than 500 rows, and PROVIDER_UNAVAILABLE.
 */
export const uploadBulkOrder = verb({ permission: "vtu:write" }, async (ctx: MemberContext, text: string): Promise<BulkOrder> => {
  const { id: merchantId } = ctx.merchant;
  const id = ctx.resourceId ?? newId("bulkOrder");
  if (ctx.resumed && (await findBulkOrder(merchantId, id))) return getBulkOrder(ctx, id);
  const { header, lines } = await parseFile(text);
  // For the largest file, the last step of reading and the check take up to 10 ms each. Other requests run in between.
  await setImmediate();
  const rows = await checkRows(ctx, header.service, lines);
  await oneTransactionAtATime(ctx, async (tx) => {
    await refuseTooManyDrafts(tx, merchantId);
    const duplicates = await findDuplicates(tx, ctx, id, rows);
    await tx.insert(bulkOrders).values({ merchantId, id, service: header.service, madeBy: madeBy(ctx) });
    await tx.insert(bulkRows).values(
      rows.map((row) => {
        const duplicateOf = duplicates.get(row.row) ?? null;
        return { merchantId, bulkOrderId: id, ...row, duplicateOf, ...(duplicateOf !== null && { status: "duplicate" as const }) };
      }),
    );
  });
  return getBulkOrder(ctx, id);
});

async function refuseTooManyDrafts(tx: Tx, merchantId: string): Promise<void> {
  const drafts = await tx.execute(sql`
    select 1 from bulk_orders where merchant_id = ${merchantId} and confirmed_at is null and status = 'draft' limit ${MAX_DRAFTS}`);
  if (drafts.length < MAX_DRAFTS) return;
  throw invalid("body", `${MAX_DRAFTS} files wait to be bought. Buy or cancel some of them, then upload this one again.`);
}
