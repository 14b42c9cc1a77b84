import type { SQL } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { payouts } from "#db/schema/payouts.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import { raiseAlert, raiseOperatorAlert } from "../../alerts/index.ts";
import { appendEvent, type EventType } from "../../events/index.ts";
import { mustPost } from "../../ledger/index.ts";
import { changeOf, columnsAfter, type Effective, type Final, nextReadAfter, RECHECK_AFTER_MS } from "../../money-out.ts";
import { transfersOf } from "../../money-out-journal.ts";
import { modeOf } from "../../providers/index.ts";
import { asSent, type PayoutRow, payoutFromRow } from "../payout.ts";
import { presentPayout } from "../present.ts";
import { isPayout, type PayoutKey } from "../rows.ts";

interface SettleOptions {
  recheckAfterMs?: number;
}

/**
 * Settles a payout by an outcome that was heard or read under a fencing token; a superseded one changes nothing. Payout, wallet, ledger and event change
 * together, once, however often the outcome is reported. Returns false if nothing changes. Locks: payout, ledger accounts, event counter.
 */
export async function settle(key: PayoutKey, outcome: Final, fencingToken: number, options: SettleOptions = {}): Promise<boolean> {
  return transaction(async (tx) => {
    const [before] = await tx.select().from(payouts).where(isPayout(key)).for("update");
    if (!before) throw new Error(`no payout ${key.id} of ${key.merchantId}`);
    return before.fencingToken === fencingToken && settleLocked(tx, before, outcome, options);
  });
}

const EVENTS: Record<Effective, EventType> = {
  paid: "payout.paid",
  failed: "payout.failed",
  late: "payout.paid",
  reversal: "payout.reversed",
  again: "payout.paid",
};

async function settleLocked(
  tx: Tx,
  before: PayoutRow,
  outcome: Final,
  { recheckAfterMs = RECHECK_AFTER_MS }: SettleOptions,
): Promise<boolean> {
  const change = changeOf(before, outcome);
  if (!change) return false;
  if (change === "contradiction") {
    await alertOnContradiction(tx, before);
    return false;
  }
  await applyChange(tx, before, change, outcome, nextReadAfter(recheckAfterMs));
  return true;
}

/** Makes a change of a payout that the caller has locked: money, row, alert and event. `next`: when it is read again. */
export async function applyChange(tx: Tx, before: PayoutRow, change: Effective, outcome: Final, next: SQL): Promise<void> {
  await mustPost(tx, before.merchantId, transfersOf(change, asSent(before)));
  const after = await store(tx, before, change, outcome, next);
  await alertOn(tx, change, after);
  await appendEvent(tx, after.merchantId, EVENTS[change], presentPayout(payoutFromRow(after)));
}

async function store(tx: Tx, before: PayoutRow, change: Effective, outcome: Final, next: SQL): Promise<PayoutRow> {
  const [after] = await tx
    .update(payouts)
    .set(columnsAfter(change, before, outcome, next))
    .where(isPayout(before))
    .returning();
  if (!after) throw new Error(`the locked payout ${before.id} was not found`);
  return after;
}

const totalOf = ({ amount, fee }: PayoutRow) => formatMoney(money(amount + fee, "NGN"));
const payeeOf = ({ bankName, accountNumber }: PayoutRow) => `${bankName} ••${accountNumber.slice(-4)}`;

async function alertOn(tx: Tx, change: Effective, payout: PayoutRow): Promise<void> {
  if (change === "paid") return;
  const { merchantId, id, provider, amount, failureReason } = payout;
  const sum = formatMoney(money(amount, "NGN"));
  if (change === "failed") {
    const message = `${sum} did not reach ${payeeOf(payout)}: ${failureReason} ${totalOf(payout)} is back in your wallet.`;
    await raiseAlert(tx, merchantId, { type: "payout.failed", resourceId: id, cause: id, message });
    return;
  }
  if (change === "reversal") {
    const message = `${sum} came back from ${payeeOf(payout)}: ${failureReason} ${totalOf(payout)} is back in your wallet.`;
    await raiseAlert(tx, merchantId, { type: "payout.reversed", resourceId: id, cause: `${id}${payout.corrections || ""}`, message });
    return;
  }
  const message = `${provider} has paid ${sum} for ${id} of ${merchantId}, which had ${change === "late" ? "failed" : "come back"} here. ${totalOf(payout)} was taken from the wallet, or is owed.`;
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "payout.late",
    resourceId: id,
    cause: `${id}:${change}:${payout.corrections}`,
    message,
  });
}

async function alertOnContradiction(tx: Tx, { merchantId, id, provider, amount, status, corrections }: PayoutRow): Promise<void> {
  log().fatal({ merchantId, payoutId: id, status }, "a bank contradicts what it said of a payout");
  const sum = formatMoney(money(amount, "NGN"));
  const said = status === "paid" ? "was paid, and now says that it was not" : "had come back, and now says that it was paid";
  const message = `${provider} said that ${sum} of ${id} (${merchantId}) ${said}. Nothing moved. Ask ${provider}.`;
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "payout.contradicted",
    resourceId: id,
    cause: `${id}:${status}:${corrections}`,
    message,
  });
}
