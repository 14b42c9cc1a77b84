import type { SQL } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { refunds } from "#db/schema/refunds.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import { raiseAlert, raiseOperatorAlert } from "../../alerts/index.ts";
import { appendEvent, type EventType } from "../../events/index.ts";
import { mustPost } from "../../ledger/index.ts";
import { changeOf, columnsAfter, type Effective, type Final, nextReadAfter, RECHECK_AFTER_MS } from "../../money-out.ts";
import { transfersOf } from "../../money-out-journal.ts";
import { modeOf } from "../../providers/index.ts";
import { presentRefund } from "../present.ts";
import { asSent, type RefundRow, refundFromRow } from "../refund.ts";
import { addToLink, isRefund, lockRefund, type RefundKey } from "./refund-rows.ts";

interface SettleOptions {
  recheckAfterMs?: number;
}

/**
 * Settles a refund by an outcome that was heard or read under a fencing token; a superseded one changes nothing. Refund, link, wallet, ledger and event
 * change together, once, however often the outcome is reported. Returns false if nothing changes. Locks: link, refund, ledger accounts, event counter.
 */
export async function settleRefund(
  key: RefundKey,
  outcome: Final,
  fencingToken: number,
  { recheckAfterMs = RECHECK_AFTER_MS }: SettleOptions = {},
): Promise<boolean> {
  return transaction(async (tx) => {
    const { refund: before } = (await lockRefund(tx, key)) ?? {};
    if (!before) throw new Error(`no refund ${key.id} of ${key.merchantId}`);
    const { status, corrections } = before;
    if (before.fencingToken !== fencingToken || status === "needs_account") return false;
    const change = changeOf({ status, corrections }, outcome);
    if (!change) return false;
    if (change === "contradiction") {
      await alertOnContradiction(tx, before);
      return false;
    }
    await applyToRefund(tx, before, change, outcome, nextReadAfter(recheckAfterMs));
    return true;
  });
}

const EVENTS: Record<Effective, EventType> = {
  paid: "checkout.refund_paid",
  failed: "checkout.refund_failed",
  late: "checkout.refund_paid",
  reversal: "checkout.refund_reversed",
  again: "checkout.refund_paid",
};

/** The kobo by which a change moves the sums of the link, for each kobo of the refund. */
const SUMS: Record<Effective, { refunded: bigint; refunding: bigint }> = {
  paid: { refunded: 1n, refunding: -1n },
  failed: { refunded: 0n, refunding: -1n },
  late: { refunded: 1n, refunding: 0n },
  reversal: { refunded: -1n, refunding: 0n },
  again: { refunded: 1n, refunding: 0n },
};

/** Makes a change of a refund that the caller has locked with its link: money, row, link, alert and event. `next`: when it is read again. */
export async function applyToRefund(tx: Tx, before: RefundRow, change: Effective, outcome: Final, next: SQL | null): Promise<void> {
  const { merchantId, amount } = before;
  await mustPost(tx, merchantId, transfersOf(change, asSent(before)));
  const [after] = await tx
    .update(refunds)
    .set({ ...columnsAfter(change, before, outcome, next), expiresAt: null, awaitsOwner: false })
    .where(isRefund(before))
    .returning();
  if (!after) throw new Error(`the locked refund ${before.id} was not found`);
  const { refunded, refunding } = SUMS[change];
  await addToLink(tx, before, { refunded: refunded * amount, refunding: refunding * amount });
  await alertOn(tx, change, after);
  await appendEvent(tx, merchantId, EVENTS[change], presentRefund(refundFromRow(after)));
}

/** The reason of a refund that a member has cancelled. Nobody is alerted to it. */
export const CANCELLED = "It was cancelled.";

async function alertOn(tx: Tx, change: Effective, refund: RefundRow): Promise<void> {
  if (change === "paid" || refund.failureReason === CANCELLED) return;
  const { merchantId, id, provider, amount, failureReason, paymentReference, corrections } = refund;
  const sum = formatMoney(money(amount, "NGN"));
  if (change === "failed") {
    const message = `The refund of ${sum} of link ${paymentReference} failed: ${failureReason} The money is back in your wallet.`;
    await raiseAlert(tx, merchantId, { type: "refund.failed", resourceId: paymentReference, cause: id, message });
    return;
  }
  if (change === "reversal") {
    const message = `The refund of ${sum} of link ${paymentReference} came back: ${failureReason} The money is back in your wallet.`;
    await raiseAlert(tx, merchantId, {
      type: "refund.reversed",
      resourceId: paymentReference,
      cause: `${id}${corrections || ""}`,
      message,
    });
    return;
  }
  const message = `${provider} has paid ${sum} for ${id} of ${merchantId}, which had ${change === "late" ? "failed" : "come back"} here. It was taken from the wallet, or is owed.`;
  await raiseOperatorAlert(tx, modeOf(provider), { type: "refund.late", resourceId: id, cause: `${id}:${change}:${corrections}`, message });
}

async function alertOnContradiction(tx: Tx, { merchantId, id, provider, amount, status, corrections }: RefundRow): Promise<void> {
  log().fatal({ merchantId, refundId: id, status }, "a bank contradicts what it said of a refund");
  const sum = formatMoney(money(amount, "NGN"));
  const said = status === "paid" ? "was paid, and now says that it was not" : "had come back, and now says that it was paid";
  const message = `${provider} said that ${sum} of ${id} (${merchantId}) ${said}. Nothing moved. Ask ${provider}.`;
  const cause = `${id}:${status}:${corrections}`;
  await raiseOperatorAlert(tx, modeOf(provider), { type: "refund.contradicted", resourceId: id, cause, message });
}
