import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { bankSessions, bankTransfers, paymentLinks } from "#db/schema/checkout.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import type { BankNotice } from "#providers/bank.ts";
import { raiseAlert, raiseOperatorAlert } from "../alerts/index.ts";
import { appendEvent } from "../events/index.ts";
import { mustPost, RECEIVABLE } from "../ledger/index.ts";
import { modeOf } from "../providers/index.ts";
import { confirmReturn } from "./confirm-return.ts";
import { linkAsEventData } from "./link-as-event-data.ts";
import { ledgerKeyOf, type TransferRow } from "./payment-link.ts";
import { lockLink } from "./rows.ts";

/**
 * Compares a notice about a known session with what is stored. A bank that has sent back what it had kept takes back what it gave: an
 * accepted transfer is recalled, a refused one has gone back. Any other difference moves nothing and is told to operators.
 * Locks: link, transfer, ledger accounts, event counter.
 */
export async function hearAgain(tx: Tx, provider: string, notice: BankNotice): Promise<void> {
  const stored = await lockStored(tx, provider, notice.sessionId);
  const other = whatItIsInstead(stored, notice);
  if (other !== null) return tellOperators(tx, stored, `${other}. Nothing was moved by it`);
  const detail = changedDetail(stored, notice);
  if (detail !== null) await tellOperators(tx, stored, detail);
  // That the bank keeps it is the older word, whatever is stored.
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
  // The link first, as everywhere.
  if (seen?.linkId) await lockLink(tx, merchantId, seen.linkId);
  const [stored] = await tx.select().from(bankTransfers).where(isIt).for("update");
  if (!stored) throw new Error(`transfer ${transferId} of ${merchantId} is gone`);
  return stored;
}

/** In words for operators; null where the notice is about the same transfer. */
function whatItIsInstead(stored: TransferRow, { accountNumber, amount }: BankNotice): string | null {
  if (stored.accountNumber !== accountNumber) return `account ${accountNumber} instead of ${stored.accountNumber}`;
  if (stored.amount === amount.minor && stored.currency === amount.currency) return null;
  return `${formatMoney(amount)} instead of ${formatMoney(money(stored.amount, stored.currency))}`;
}

/** What a bank does not change of a transfer, and no money depends on any more. */
function changedDetail(stored: TransferRow, { senderName, receivedAt }: BankNotice): string | null {
  if (stored.receivedAt.getTime() !== receivedAt.getTime())
    return `taken at ${receivedAt.toISOString()} instead of ${stored.receivedAt.toISOString()}`;
  return stored.senderName === senderName ? null : "another sender";
}

async function tellOperators(tx: Tx, { provider, sessionId, id, merchantId }: TransferRow, difference: string): Promise<void> {
  log().error({ provider, sessionId, transferId: id }, "a bank tells otherwise of a transfer that it had told of");
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "bank_notice.contradicts",
    resourceId: id,
    message: `${provider} now says of session ${sessionId} (${merchantId}): ${difference}.`,
  });
}

/** The wallet pays back what the link had brought; what it cannot cover is owed. The link stays paid: goods may have gone out. */
async function recall(tx: Tx, stored: TransferRow): Promise<void> {
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
  const key = ledgerKeyOf(id);
  const meta = { type: "payment_link_recall", reference: link.reference };
  await mustPost(tx, merchantId, [{ kind: "reverse", key: `${key}:recall`, target: key, overflow: RECEIVABLE, meta }]);
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
