import { and, eq, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { noteByOperator } from "../audit/index.ts";

/** Has the bank send money back that came for no known account. The reason goes to the audit. Returns false where there is no such transfer. */
export async function returnUnmatched(id: string, reason: string): Promise<boolean> {
  return transaction(async (tx) => {
    const [transfer] = await tx
      .update(bankTransfers)
      .set({ disposition: "returned", returnState: "owed", nextReturnAt: sql`now()` })
      .where(and(eq(bankTransfers.id, id), eq(bankTransfers.disposition, "suspended")))
      .returning({ merchantId: bankTransfers.merchantId });
    if (!transfer) return false;
    await noteByOperator(tx, transfer.merchantId, { action: "suspense.returned", subject: `${id}: ${reason}` });
    return true;
  });
}
