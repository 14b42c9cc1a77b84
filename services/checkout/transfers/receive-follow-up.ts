import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { bankSessions, bankTransfers, paymentLinks } from "#db/schema/checkout.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import { SECOND_MS } from "#lib/time.ts";
import { raiseAlert, raiseOperatorAlert } from "../../alerts/index.ts";
import { appendEvent } from "../../events/index.ts";
import { mustPost, RECEIVABLE } from "../../ledger/index.ts";
import { modeOf } from "../../providers/index.ts";
import { linkAsEventData } from "../links/link-as-event-data.ts";
import { ledgerKeyOf, recallKeyOf, type TransferRow } from "../payment-link.ts";
import { endWaitingOf } from "../refunds/end-waiting.ts";
import { lockLink } from "../rows.ts";
import type { TransferNotice } from "./arrival.ts";
import { confirmReturn } from "./confirm-return.ts";

/**
 * Handles a later notice about a stored bank session. If the bank has sent the money back in the meantime, an accepted transfer is
 * recalled, and a refused or unmatched one is confirmed as returned. Another account or amount moves nothing and alerts operators; another
 * time or sender only alerts operators. Locks: link, transfer, ledger accounts, event counter.
 */
export async function receiveFollowUp(tx: Tx, provider: string, notice: TransferNotice): Promise<void> {
  const stored = await lockStored(tx, provider, notice.sessionId);
  const contradiction = contradictionOf(stored, notice);
  if (contradiction !== null) return tellOperators(tx, stored, `${contradiction}. Nothing was moved by it`);
  const detail = changedDetail(stored, notice);
  if (detail !== null) await tellOperators(tx, stored, detail);
  // A bank keeps money before it sends it back, so a notice that the money is kept is never newer than the stored state.
  if (notice.returnedBecause === null) return;
  if (stored.disposition === "accepted") return recall(tx, stored);
  await confirmReturn(tx, stored);
}

async function lockStored(tx: Tx, provider: string, sessionId: string): Promise<TransferRow> {
  const [session] = await tx
    .select()
    .from(bankSessions)
    .where(and(eq(bankSessions.provider, provider), eq(bankSessions.sessionId, sessionId)));
  if (!session) throw new Error(`session ${sessionId} of ${provider} is gone`);
  const { merchantId, transferId } = session;
  const isIt = and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.id, transferId));
  const [seen] = await tx.select({ linkId: bankTransfers.linkId }).from(bankTransfers).where(isIt);
  // Lock order: the link before its transfer.
  if (seen?.linkId) await lockLink(tx, merchantId, seen.linkId);
  const [stored] = await tx.select().from(bankTransfers).where(isIt).for("update");
  if (!stored) throw new Error(`transfer ${transferId} of ${merchantId} is gone`);
  return stored;
}

/** Returns the difference in account or amount, in words for operators, or null if both are the same. */
function contradictionOf(stored: TransferRow, { accountReference, accountNumber, amount }: TransferNotice): string | null {
  const isOtherAccount = stored.accountReference !== null && stored.accountReference !== accountReference;
  const isOtherNumber = stored.accountNumber !== null && accountNumber !== null && stored.accountNumber !== accountNumber;
  if (isOtherAccount || isOtherNumber)
    return `account ${accountNumber ?? accountReference} instead of ${stored.accountNumber ?? stored.accountReference}`;
  if (stored.amount === amount.minor && stored.currency === amount.currency) return null;
  return `${formatMoney(amount)} instead of ${formatMoney(money(stored.amount, stored.currency))}`;
}

/**
 * Returns the difference in time or sender, or null. A bank should not change them, but money no longer depends on them. It may know less of
 * them where it is asked than in its notice: no sender, or the time in whole seconds.
 */
function changedDetail(stored: TransferRow, { senderName, receivedAt }: TransferNotice): string | null {
  if (receivedAt !== null && Math.abs(stored.receivedAt.getTime() - receivedAt.getTime()) >= SECOND_MS)
    return `taken at ${receivedAt.toISOString()} instead of ${stored.receivedAt.toISOString()}`;
  return senderName === null || stored.senderName === senderName ? null : "another sender";
}

async function tellOperators(tx: Tx, { provider, sessionId, id, merchantId }: TransferRow, difference: string): Promise<void> {
  log().error({ provider, sessionId, transferId: id }, "a bank contradicts its earlier notice of a transfer");
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "bank_notice.contradicts",
    resourceId: id,
    message: `${provider} now says of session ${sessionId} (${merchantId}): ${difference}.`,
  });
}

/**
 * Debits the wallet by the transfer's amount. The merchant owes the uncovered part. The link stays paid, because goods may
 * have been shipped.
 */
export async function recall(tx: Tx, stored: TransferRow): Promise<void> {
  const { merchantId, id, linkId, provider, sessionId, currency } = stored;
  if (linkId === null) throw new Error(`transfer ${id} was accepted for no link`);
  await tx
    .update(bankTransfers)
    .set({ disposition: "recalled" })
    .where(and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.id, id)));
  const [link] = await tx
    .update(paymentLinks)
    .set({ recalledAt: sql`now()` })
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, linkId)))
    .returning({ reference: paymentLinks.reference });
  if (!link) throw new Error(`there is no link ${linkId} of ${merchantId}`);
  await endWaitingOf(tx, { merchantId, id: linkId });
  const key = ledgerKeyOf(id);
  const meta = { type: "payment_link_recall", reference: link.reference };
  await mustPost(tx, merchantId, [{ kind: "reverse", key: recallKeyOf(id), target: key, overflow: RECEIVABLE, meta }]);
  const amount = formatMoney(money(stored.amount, currency));
  await raiseAlert(tx, merchantId, {
    type: "checkout.transfer_recalled",
    resourceId: link.reference,
    message: `The bank took back ${amount} that had paid link ${link.reference}. Your wallet paid it back; what it could not cover is owed.`,
  });
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "bank_transfer.recalled",
    resourceId: id,
    message: `${provider} recalled session ${sessionId}: ${amount}, which had paid a link of ${merchantId}.`,
  });
  await appendEvent(tx, merchantId, "checkout.transfer_recalled", await linkAsEventData(tx, merchantId, linkId));
}
