import { and, eq, ne } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import type { Merchant, OperatorContext } from "../context.ts";
import { verb } from "../verb.ts";

/**
 * Suspends a merchant: within a second, every process refuses requests that change anything, and payers cannot pay. Reading goes on. The
 * reason goes to the audit. Returns false if the merchant does not exist or is suspended already. Throws VALIDATION_ERROR without a reason.
 */
export const suspendMerchant = verb(
  { actor: ["operator"] },
  (ctx: OperatorContext, merchantId: string, reason: string): Promise<boolean> => changeStatus(ctx, merchantId, "suspended", reason),
);

/** Ends a suspension. Returns false if the merchant does not exist or is not suspended. Throws VALIDATION_ERROR without a reason. */
export const resumeMerchant = verb(
  { actor: ["operator"] },
  (ctx: OperatorContext, merchantId: string, reason: string): Promise<boolean> => changeStatus(ctx, merchantId, "active", reason),
);

async function changeStatus(ctx: OperatorContext, merchantId: string, status: Merchant["status"], given: string): Promise<boolean> {
  const reason = requireReason(given);
  return transaction(async (tx) => {
    const changed = await tx
      .update(merchants)
      .set({ status })
      .where(and(eq(merchants.id, merchantId), ne(merchants.status, status)))
      .returning({ id: merchants.id });
    if (changed.length === 0) return false;
    const action = status === "suspended" ? "merchant.suspended" : "merchant.resumed";
    await noteInAudit(tx, ctx, { merchantId, action, subject: merchantId, reason });
    return true;
  });
}
