import { and, eq, inArray, sql } from "drizzle-orm";
import { bankTransfers } from "#db/schema/checkout.ts";
import type { ApprovedContext } from "../approval.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import { verb } from "../verb.ts";

/** Money for an unknown account belongs to the platform's own merchant of that mode. */
const PLATFORM_MERCHANTS = ["mer_platform_test", "mer_platform_live"];

/**
 * Makes the bank send back money that arrived for an unknown account. The reason goes to the audit. Returns false if no such transfer is in
 * suspense. Throws VALIDATION_ERROR for an empty reason.
 */
export const returnUnmatched = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, id: string, reason: string): Promise<boolean> => {
    const why = requireReason(reason);
    const { tx } = ctx.approval;
    const [transfer] = await tx
      .update(bankTransfers)
      .set({ disposition: "returned", returnState: "owed", nextReturnAt: sql`now()` })
      .where(
        and(inArray(bankTransfers.merchantId, PLATFORM_MERCHANTS), eq(bankTransfers.id, id), eq(bankTransfers.disposition, "suspended")),
      )
      .returning({ merchantId: bankTransfers.merchantId });
    if (!transfer) return false;
    await noteInAudit(tx, ctx, {
      ...{ merchantId: transfer.merchantId, action: "suspense.returned", subject: id, reason: why },
      ...{ before: { disposition: "suspended" }, after: { disposition: "returned" } },
    });
    return true;
  },
);
