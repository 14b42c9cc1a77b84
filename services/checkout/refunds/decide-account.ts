import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { lagosDateTime } from "#lib/time.ts";
import { noteInAudit } from "../../audit/index.ts";
import { type MerchantContext, madeBy } from "../../context.ts";
import { markExecuted } from "../../idempotency/index.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { MAX_CLAIM_TO_CALL_MS } from "../../money-out.ts";
import { lockMerchant, maskedNumber, readLimits } from "../../payouts/index.ts";
import { verb } from "../../verb.ts";
import { type Refund, type RefundRow, refundFromRow } from "../refund.ts";
import { endWaiting, hasExpired } from "./end-waiting.ts";
import { begin } from "./give-account.ts";
import { orderRefund } from "./order-refund.ts";
import { findRefundRow, lockRefund } from "./refund-rows.ts";
import { CANCELLED } from "./settle-refund.ts";

/**
 * Sends a refund to the account that its customer has named, although the account has another name than the sender. Only an owner may, because the customer
 * need not be the one who paid. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR for a refund that waits for no owner, and MERCHANT_SUSPENDED.
 * Locks: merchant, link, refund, head of the audit.
 */
export const confirmRefundAccount = verb(
  { permission: "refunds:confirm", proof: "pay_out", proofOnlyInLive: true, withSecondFactor: true },
  async (ctx: MerchantContext, id: string): Promise<Refund> => {
    const elapsedMs = startStopwatch();
    // An earlier try of this request has confirmed it.
    const confirmed = ctx.isExecuted ? await findRefundRow({ merchantId: ctx.merchant.id, id }) : undefined;
    if (confirmed) return refundFromRow(confirmed);
    await requireUnrestrictedInLive(ctx);
    const refund = await transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const merchant = await lockMerchant(tx, ctx.merchant.id);
      if (merchant.isSuspended)
        throw new Problem("MERCHANT_SUSPENDED", "This account is suspended: nothing can be refunded. Write to support.");
      await requireUnrestrictedInLive(ctx, tx);
      const waiting = await lockWaiting(tx, ctx, id);
      if (!waiting.awaitsOwner || (await hasExpired(tx, waiting))) throw invalid("id", "This refund waits for no owner.");
      await requireSettled(tx, ctx, waiting);
      const begun = await begin(tx, merchant, waiting, { confirmedBy: madeBy(ctx) });
      await noteInAudit(tx, ctx, { merchantId: ctx.merchant.id, action: "refund.account_confirmed", subject: id, after: accountOf(begun) });
      return begun;
    });
    if (elapsedMs() < MAX_CLAIM_TO_CALL_MS) await orderRefund(refund);
    return refundFromRow((await findRefundRow(refund)) ?? refund);
  },
);

/**
 * Cancels a refund that was not ordered yet, and gives its money back to the wallet. Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR for a refund that was
 * ordered or is over. Locks: link, refund, ledger accounts, event counter, head of the audit.
 */
export const cancelRefund = verb(
  { permission: "refunds:write" },
  async (ctx: MerchantContext, id: string): Promise<Refund> =>
    transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const waiting = await lockWaiting(tx, ctx, id);
      await endWaiting(tx, waiting, CANCELLED);
      await noteInAudit(tx, ctx, {
        ...{ merchantId: ctx.merchant.id, action: "refund.cancelled", subject: id },
        after: { amount: String(waiting.amount), link: waiting.paymentReference },
      });
      const after = await findRefundRow(waiting, tx);
      return refundFromRow(after ?? waiting);
    }),
);

/**
 * Throws VALIDATION_ERROR while the payment is younger than the operator's delay for payouts: banks take payments back, and an account with another name
 * is where a thief would have the money by then.
 */
async function requireSettled(tx: Tx, { merchant }: MerchantContext, { merchantId, transferId }: RefundRow): Promise<void> {
  const { delayMs } = await readLimits(tx, merchant);
  const [transfer] = await tx
    .select({ createdAt: bankTransfers.createdAt })
    .from(bankTransfers)
    .where(and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.id, transferId)));
  const from = new Date((transfer?.createdAt.getTime() ?? 0) + delayMs);
  if (from.getTime() <= Date.now()) return;
  throw invalid("id", `Banks may still take this payment back. Agree from ${lagosDateTime(from)} (West Africa Time).`);
}

async function lockWaiting(tx: Tx, { merchant }: MerchantContext, id: string): Promise<RefundRow> {
  const { refund } = (await lockRefund(tx, { merchantId: merchant.id, id })) ?? {};
  if (!refund) throw notFound("refund");
  if (refund.status !== "needs_account") throw invalid("id", `This refund is ${refund.status} by now.`);
  return refund;
}

const accountOf = ({ amount, bankName, accountNumber, accountName }: RefundRow) => ({
  ...{ amount: String(amount), bank: bankName, number: accountNumber && maskedNumber(accountNumber), name: accountName },
});
