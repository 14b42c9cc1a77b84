import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { OPENS_REFUNDS_OF_A_LINK, refunds } from "#db/schema/refunds.ts";
import { formatMoney, type Money, money } from "#lib/money.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import { newRefundId } from "#lib/references.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { DAY_MS } from "#lib/time.ts";
import type { PayoutBank } from "#providers/payout-bank.ts";
import { type MerchantContext, madeBy } from "../../context.ts";
import { assertLease } from "../../idempotency/index.ts";
import { holdOrRefuse } from "../../ledger/index.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { LEASE_MS, MAX_CLAIM_TO_CALL_MS } from "../../money-out.ts";
import { hold } from "../../money-out-journal.ts";
import { lockMerchant, requireRoomForRefund, requireWithinBank } from "../../payouts/index.ts";
import { banks, payoutBanks } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { LinkRow, TransferRow } from "../payment-link.ts";
import { asSent, type Refund, type RefundRow, refundFromRow } from "../refund.ts";
import { findStoredLink, lockLink } from "../rows.ts";
import { askForAccount } from "./account-link.ts";
import { orderRefund } from "./order-refund.ts";
import { addToLink, findRefundRow } from "./refund-rows.ts";

/** How long the customer can name an account. */
export const ACCOUNT_WITHIN_MS = 3 * DAY_MS;

export interface WantedRefund {
  /** The reference of the link. */
  reference: string;
  /** Naira. Default: everything that is left of the payment. */
  amount?: Money | undefined;
  reason?: string | undefined;
}

/**
 * Sends money of a paid link back, once: through the bank that took it, or to an account that the customer is asked for by mail. The money is held and the
 * refund stored before a bank is asked, and no lock is kept during the call. Without a final answer the refund stays `processing` and the worker reads its
 * outcome. Throws RESOURCE_NOT_FOUND, PROVIDER_UNAVAILABLE, in live mode PERMISSION_DENIED while the member is restricted, and as `claim`, each before a refund is stored.
 */
export const createRefund = verb(
  { permission: "refunds:write", proof: "pay_out", proofOnlyInLive: true, withSecondFactor: true },
  async (ctx: MerchantContext, wanted: WantedRefund): Promise<Refund> => {
    const elapsedMs = startStopwatch();
    const { merchant } = ctx;
    const id = ctx.resourceId ?? newRefundId(merchant.number);
    const begun = ctx.resumed ? await findRefundRow({ merchantId: merchant.id, id }) : undefined;
    if (begun) return refundFromRow(begun);
    await requireUnrestrictedInLive(ctx);
    const link = await findStoredLink(merchant.id, wanted.reference);
    if (!link) throw notFound("payment link");
    const refund = await transaction(async (tx) => {
      await assertLease(tx, ctx);
      const claimed = await claim(tx, ctx, { ...wanted, id, linkId: link.id });
      // Under the merchant's lock, which the denial of a thief's changes takes too: it may have come meanwhile.
      await requireUnrestrictedInLive(ctx, tx);
      return claimed;
    });
    // The claim may have waited for a long time. After this deadline the worker may already have failed the refund as never ordered.
    if (refund.status === "processing" && elapsedMs() < MAX_CLAIM_TO_CALL_MS) await orderRefund(refund);
    return refundFromRow((await findRefundRow(refund)) ?? refund);
  },
);

type NewRefund = WantedRefund & { id: string; linkId: string };

/**
 * Stores a refund and holds its money, under the locks of merchant and link, so that refunds at once cannot exceed what is left together. Throws
 * VALIDATION_ERROR (a link that was not paid or was recalled, more than is left, no email to ask for the account),
 * MERCHANT_SUSPENDED, LIMIT_EXCEEDED and INSUFFICIENT_BALANCE. Locks: merchant, link, ledger accounts.
 */
async function claim(tx: Tx, ctx: MerchantContext, wanted: NewRefund): Promise<RefundRow> {
  const { merchant } = ctx;
  const { at, isSuspended } = await lockMerchant(tx, merchant.id);
  if (isSuspended) throw new Problem("MERCHANT_SUSPENDED", "This account is suspended: nothing can be refunded. Write to support.");
  const link = await lockLink(tx, merchant.id, wanted.linkId);
  const transfer = await acceptedTransfer(tx, link);
  const amount = amountOf(wanted, link, transfer);
  await requireFewRefunds(tx, link);
  await requireRoomForRefund(tx, merchant, { amount, at });
  const refund = await insert(tx, ctx, { wanted, link, transfer, amount });
  await addToLink(tx, refund, { refunding: amount.minor });
  await holdOrRefuse(tx, merchant.id, [hold(asSent(refund))]);
  if (refund.status === "needs_account") await askForAccount(tx, ctx, refund, link);
  return refund;
}

/** Banks list the refunds of a payment by the page, and each is read there. */
const MAX_REFUNDS = 30;

async function requireFewRefunds(tx: Tx, { merchantId, id }: LinkRow): Promise<void> {
  const isOfLink = and(eq(refunds.merchantId, merchantId), eq(refunds.linkId, id), sql.raw(OPENS_REFUNDS_OF_A_LINK));
  if ((await tx.$count(refunds, isOfLink)) < MAX_REFUNDS) return;
  throw invalid("reference", `This payment has ${MAX_REFUNDS} refunds, which is the most. Pay the customer in another way.`);
}

/** Returns the transfer that paid a link, which the bank has not taken back. Throws VALIDATION_ERROR. */
async function acceptedTransfer(tx: Tx, { merchantId, id, status }: LinkRow): Promise<TransferRow> {
  if (status !== "success") throw invalid("reference", "This link was not paid. Money that did not pay it goes back by itself.");
  const [transfer] = await tx
    .select()
    .from(bankTransfers)
    .where(and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.linkId, id), eq(bankTransfers.disposition, "accepted")));
  if (!transfer) throw invalid("reference", "The bank has taken this payment back, so there is nothing left to refund.");
  return transfer;
}

function amountOf({ amount }: WantedRefund, { refundedAmount, refundingAmount }: LinkRow, transfer: TransferRow): Money {
  const left = money(transfer.amount - refundedAmount - refundingAmount, "NGN");
  if (left.minor <= 0n) throw invalid("reference", "All of this payment is refunded, or about to be.");
  if (amount && amount.minor > left.minor) throw invalid("amount", `At most ${formatMoney(left)} of this payment can still be refunded.`);
  return amount ?? left;
}

interface Claimed {
  wanted: NewRefund;
  link: LinkRow;
  transfer: TransferRow;
  amount: Money;
}

async function insert(tx: Tx, ctx: MerchantContext, { wanted, link, transfer, amount }: Claimed): Promise<RefundRow> {
  const sender = routeOf(ctx, link);
  if (sender.route === "payout") requireWithinBank(sender.bank, amount);
  const [row] = await tx
    .insert(refunds)
    .values({
      ...{ merchantId: link.merchantId, id: wanted.id, route: sender.route, provider: sender.bank.name },
      ...{ linkId: link.id, paymentReference: link.reference, transferId: transfer.id, transferSessionId: transfer.sessionId },
      ...{ accountReference: transfer.accountReference, amount: amount.minor, reason: wanted.reason, madeBy: madeBy(ctx) },
      ...(sender.route === "bank"
        ? { status: "processing", orderedAt: sql`now()`, nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'` }
        : { status: "needs_account", expiresAt: sql`now() + ${ACCOUNT_WITHIN_MS} * interval '1 ms'` }),
    })
    .returning();
  if (!row) throw new Error(`refund ${wanted.id} was not stored`);
  return row;
}

type Route = { route: "bank"; bank: { name: string } } | { route: "payout"; bank: PayoutBank };

/** Returns how the money of a link goes back. Throws PROVIDER_UNAVAILABLE, and VALIDATION_ERROR where nobody can be asked for an account. */
function routeOf({ merchant }: MerchantContext, { provider, customerEmail }: LinkRow): Route {
  const bank = banks.named(provider);
  if (!bank) throw new Problem("PROVIDER_UNAVAILABLE", "The bank that took this payment is not connected now. Try again later.");
  if (bank.refunds) return { route: "bank", bank };
  if (customerEmail === null) {
    throw invalid(
      "reference",
      "The bank does not tell the payer's account, and this link has no customer_email to ask for it. Pay the customer in another way.",
    );
  }
  return { route: "payout", bank: payoutBanks.for(merchant) };
}
