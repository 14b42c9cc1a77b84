import { eq } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { dailyFigures, figureCursors } from "#db/schema/figures.ts";
import type { OperatorContext } from "../context.ts";
import { verb } from "../verb.ts";
import { advance, lockCursor } from "./advance.ts";

/**
 * Deletes a merchant's figures and counts everything again, in transactions like the worker's, which may take part. A reading meanwhile is
 * correct but may be incomplete, and says so. If the process ends early, the worker continues. Locks the cursor.
 */
export const rebuildFigures = verb({ actor: ["operator"] }, async (_ctx: OperatorContext, merchantId: string): Promise<void> => {
  await transaction(async (tx) => {
    await lockCursor(tx, merchantId, { waits: true });
    await tx.delete(dailyFigures).where(eq(dailyFigures.merchantId, merchantId));
    await tx
      .update(figureCursors)
      .set({ walletSeq: 0n, walletDay: null, eventSequence: 0n, eventDay: null })
      .where(eq(figureCursors.merchantId, merchantId));
  });
  while ((await advance(merchantId, { waits: true }))?.hasMore);
});
