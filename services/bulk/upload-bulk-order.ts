import { transaction } from "#db/client.ts";
import { bulkOrders, bulkRows } from "#db/schema/bulk.ts";
import { newId } from "#lib/ids.ts";
import { type MemberContext, madeBy } from "../context.ts";
import { assertLease } from "../idempotency/index.ts";
import { checkRows } from "./check-rows.ts";
import { findDuplicates } from "./duplicates.ts";
import { parseFile } from "./parse-file.ts";
import { type BulkOrder, findBulkOrder, getBulkOrder } from "./read-bulk-orders.ts";

/**
 * Stores a CSV file as a draft, with each row checked: `ready`, `invalid` with its message, or `duplicate`. Nothing is bought. Throws
 * VALIDATION_ERROR for a file that cannot be read, PAYLOAD_TOO_LARGE for more than 500 rows, and PROVIDER_UNAVAILABLE.
 */
export async function uploadBulkOrder(ctx: MemberContext, text: string): Promise<BulkOrder> {
  const { id: merchantId } = ctx.merchant;
  const id = ctx.resourceId ?? newId("bulkOrder");
  if (ctx.resumed && (await findBulkOrder(merchantId, id))) return getBulkOrder(ctx, id);
  const { header, lines } = parseFile(text);
  const rows = await checkRows(ctx, header.service, lines);
  await transaction(async (tx) => {
    await assertLease(tx, ctx);
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
}
