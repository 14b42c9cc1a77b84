import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { paymentLinks } from "#db/schema/checkout.ts";
import { newReference } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { sandboxBankFor } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { closeAtBank } from "../bank-limits.ts";
import type { SimulateTransfer } from "../contract.ts";
import { expireLink } from "../links/expire-links.ts";
import { getLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";

/**
 * Simulates the payer: sends money to the link's one-time account at the sandbox bank, which sends a notice like a real bank. Returns the
 * link as it is now. Throws RESOURCE_NOT_FOUND and VALIDATION_ERROR.
 */
export const simulateTransfer = verb(
  { permission: "test:write" },
  async (ctx: MerchantContext, reference: string, request: SimulateTransfer): Promise<PaymentLink> => {
    const bank = sandboxBankFor(ctx.merchant);
    const link = await getLinkByReference(ctx, reference);
    const madeAt = request.made_at ?? null;
    if (madeAt && madeAt < link.createdAt) throw invalid("made_at", "Send a time at or after the link's creation.");
    if (madeAt && madeAt.getTime() > Date.now()) throw invalid("made_at", "Send a time that is not in the future.");
    const outcome = await bank.makeTransfer({
      accountNumber: link.accountNumber,
      amount: request.amount ?? link.amount,
      senderName: request.sender_name ?? "Test Payer",
      senderAccount: request.sender_account,
      sessionId: request.session_id ?? ctx.resourceId ?? newReference(),
      madeAt,
    });
    if (outcome === "session taken") throw invalid("session_id", "This session_id is another transfer already. Send a new one, or none.");
    return getLinkByReference(ctx, reference);
  },
);

/** Expires a pending link now, and returns its present state. Does not change a paid or expired link. Throws RESOURCE_NOT_FOUND. */
export const simulateExpiry = verb({ permission: "test:write" }, async (ctx: MerchantContext, reference: string): Promise<PaymentLink> => {
  sandboxBankFor(ctx.merchant);
  const link = await getLinkByReference(ctx, reference);
  await endTime(link);
  return getLinkByReference(ctx, reference);
});

/** Ends a pending link's time now: closes its account and expires it. Does nothing for any other link. */
export async function endTime({ merchantId, id }: PaymentLink): Promise<void> {
  const [ended] = await db()
    .update(paymentLinks)
    .set({ expiresAt: sql`now()` })
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, id), eq(paymentLinks.status, "pending")))
    .returning({ provider: paymentLinks.provider, providerReference: paymentLinks.providerReference });
  if (!ended) return;
  await closeAtBank(ended);
  await expireLink(merchantId, id);
}
