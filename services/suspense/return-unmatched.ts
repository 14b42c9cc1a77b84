import { and, eq, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";

/** Has the bank send money back that came for no known account. The reason goes to the audit. Returns false where there is no such transfer. */
export async function returnUnmatched(ctx: OperatorContext, id: string, reason: string): Promise<boolean> {
  const why = requireReason(reason);
  return transaction(async (tx) => {
    const [transfer] = await tx
      .update(bankTransfers)
      .set({ disposition: "returned", returnState: "owed", nextReturnAt: sql`now()` })
      .where(and(eq(bankTransfers.id, id), eq(bankTransfers.disposition, "suspended")))
      .returning({ merchantId: bankTransfers.merchantId });
    if (!transfer) return false;
    await noteInAudit(tx, ctx, { merchantId: transfer.merchantId, action: "suspense.returned", subject: `${id}: ${why}` });
    return true;
  });
}
