import { and, eq, inArray, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { bankSessions, bankTransfers, oneTimeAccounts, paymentLinks } from "#db/schema/checkout.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import type { BankNotice } from "#providers/bank.ts";
import { appendEvent } from "../events/index.ts";
import { creditWallet, mustPost, SETTLEMENT_BANK, SUSPENSE } from "../ledger/index.ts";
import { modeOf } from "../providers/index.ts";
import { classify } from "./classify.ts";
import { linkAsEventData } from "./link-in-tx.ts";
import type { Classification } from "./payment-link.ts";

type Link = typeof paymentLinks.$inferSelect;

/**
 * Takes note of a transfer, once per bank session: payment, wallet credit, ledger entries and event commit together or not at all.
 * Told again, in whatever order, it does nothing. Locks: session, link, ledger accounts, event counter.
 */
export async function receiveTransfer(provider: string, notice: BankNotice): Promise<void> {
  await transaction(async (tx) => {
    const [account] = await tx
      .select()
      .from(oneTimeAccounts)
      .where(and(eq(oneTimeAccounts.provider, provider), eq(oneTimeAccounts.accountNumber, notice.accountNumber)));
    const merchantId = account?.merchantId ?? `mer_platform_${modeOf(provider)}`;
    const transferId = newId("bankTransfer");
    const [first] = await tx
      .insert(bankSessions)
      .values({ provider, sessionId: notice.sessionId, merchantId, transferId })
      .onConflictDoNothing()
      .returning();
    if (!first) return;
    if (!account) return keepForOperators(tx, { provider, merchantId, transferId, notice });
    const link = await lockLink(tx, merchantId, account.linkId);
    await settle(tx, link, { provider, transferId, notice });
  });
}

async function lockLink(tx: Tx, merchantId: string, linkId: string): Promise<Link> {
  const [link] = await tx
    .select()
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, linkId)))
    .for("update");
  if (!link) throw new Error(`account directory names a link that does not exist: ${linkId}`);
  return link;
}

interface Arrival {
  provider: string;
  transferId: string;
  notice: BankNotice;
}

async function settle(tx: Tx, link: Link, arrival: Arrival): Promise<void> {
  const { transferId, notice } = arrival;
  const classification = classificationOf(link, notice);
  const accepted = classification === "exact";
  // The bank kept money that is not ours to keep: it waits in suspense until the bank confirms that it went back.
  const mustGoBack = !accepted && notice.returnedBecause === null;
  await tx.insert(bankTransfers).values({
    ...columnsOf(arrival),
    merchantId: link.merchantId,
    linkId: link.id,
    classification,
    disposition: accepted ? "accepted" : "returned",
    ...(mustGoBack && { returnState: "owed" as const, nextReturnAt: sql`now()` }),
  });
  const meta = { type: "payment_link", reference: link.reference };
  if (accepted) {
    await payLink(tx, link, notice);
    await creditWallet(tx, link.merchantId, { key: ledgerKeyOf(transferId), from: SETTLEMENT_BANK, amount: notice.amount, meta });
  } else if (mustGoBack) {
    const key = ledgerKeyOf(transferId);
    await mustPost(tx, link.merchantId, [{ kind: "post", key, debit: SETTLEMENT_BANK, credit: SUSPENSE, amount: notice.amount, meta }]);
  }
  const type = accepted ? "checkout.success" : "checkout.transfer_rejected";
  await appendEvent(tx, link.merchantId, type, await linkAsEventData(tx, link.merchantId, link.id));
}

/** A bank that sent the money back has decided: what would have paid the link came second, or too late, as the bank says. */
function classificationOf(link: Link, notice: BankNotice): Classification {
  const expected = { amount: money(link.amount, link.currency), expiresAt: link.expiresAt, alreadyPaid: link.status === "success" };
  const ours = classify(expected, notice);
  return ours === "exact" && notice.returnedBecause !== null ? notice.returnedBecause : ours;
}

// Classified `exact` under the link's row lock; an expired link may still be paid by money that the bank took in time.
async function payLink(tx: Tx, link: Link, notice: BankNotice): Promise<void> {
  const [paid] = await tx
    .update(paymentLinks)
    .set({ status: "success", paidAt: notice.receivedAt })
    .where(
      and(eq(paymentLinks.merchantId, link.merchantId), eq(paymentLinks.id, link.id), inArray(paymentLinks.status, ["pending", "expired"])),
    )
    .returning({ id: paymentLinks.id });
  if (!paid) throw new Error(`link ${link.id} was paid under our lock`);
}

/** Money for no account that we know: posted to the platform's suspense account, where operators see it. Nobody is credited by guess. */
async function keepForOperators(tx: Tx, arrival: Arrival & { merchantId: string }): Promise<void> {
  const { merchantId, transferId, notice } = arrival;
  const kept = notice.returnedBecause === null;
  await tx
    .insert(bankTransfers)
    .values({ ...columnsOf(arrival), merchantId, linkId: null, classification: "unmatched", disposition: kept ? "suspended" : "returned" });
  log().warn({ provider: arrival.provider, sessionId: notice.sessionId }, "a transfer came to an account that is not known");
  if (!kept) return;
  const meta = { type: "unmatched_transfer", reference: notice.sessionId };
  await mustPost(tx, merchantId, [
    { kind: "post", key: ledgerKeyOf(transferId), debit: SETTLEMENT_BANK, credit: SUSPENSE, amount: notice.amount, meta },
  ]);
}

function columnsOf({ provider, transferId, notice }: Arrival) {
  return {
    id: transferId,
    provider,
    sessionId: notice.sessionId,
    accountNumber: notice.accountNumber,
    amount: notice.amount.minor,
    currency: notice.amount.currency,
    senderName: notice.senderName,
    receivedAt: notice.receivedAt,
  };
}

export const ledgerKeyOf = (transferId: string) => `bank_transfer:${transferId}`;
