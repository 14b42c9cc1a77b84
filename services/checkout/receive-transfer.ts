import { and, eq, inArray, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { bankSessions, bankTransfers, oneTimeAccounts, paymentLinks } from "#db/schema/checkout.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import type { BankNotice } from "#providers/bank.ts";
import { raiseAlert, raiseOperatorAlert } from "../alerts/index.ts";
import { appendEvent } from "../events/index.ts";
import { creditWallet, mustPost, SETTLEMENT_BANK, SUSPENSE } from "../ledger/index.ts";
import { banks, modeOf } from "../providers/index.ts";
import { classify } from "./classify.ts";
import { expireReplacement } from "./expire-replacement.ts";
import { linkAsEventData } from "./link-as-event-data.ts";
import { type Classification, type LinkRow, ledgerKeyOf } from "./payment-link.ts";
import { receiveFollowUp } from "./receive-follow-up.ts";
import { lockLink } from "./rows.ts";

/**
 * Records a transfer once per bank session: payment, wallet credit, ledger entries and events commit together or not at all. Later notices
 * of a stored session go to `receiveFollowUp`; an equal one changes nothing. Where the link was replaced, a late payment expires the
 * replacement in the same transaction. Locks: session, link, its replacement, ledger accounts, event counter.
 */
export async function receiveTransfer(provider: string, notice: BankNotice): Promise<void> {
  const expired = await transaction(async (tx) => {
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
    if (!first) {
      await receiveFollowUp(tx, provider, notice);
      return undefined;
    }
    if (!account) {
      await suspendUnmatched(tx, { provider, merchantId, transferId, notice });
      return undefined;
    }
    const link = await lockLink(tx, merchantId, account.linkId);
    return settle(tx, link, { provider, transferId, notice });
  });
  // A bank that does not get this call keeps the account open; money that arrives then is late, and it is sent back.
  if (expired) await banks.named(expired.provider)?.closeAccount(expired.reference);
}

interface Arrival {
  provider: string;
  transferId: string;
  notice: BankNotice;
}

/** Returns the replacement that the payment of this link expired, if there is one. */
async function settle(tx: Tx, link: LinkRow, arrival: Arrival): Promise<LinkRow | undefined> {
  const { transferId, notice } = arrival;
  const classification = classificationOf(link, notice);
  const accepted = classification === "exact" && notice.returnedBecause === null;
  // The bank kept money that we refuse. It stays in suspense until the bank confirms that it went back.
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
  let expired: LinkRow | undefined;
  if (accepted) {
    await payLink(tx, link, notice);
    expired = await expireReplacement(tx, link);
    await creditWallet(tx, link.merchantId, { key: ledgerKeyOf(transferId), from: SETTLEMENT_BANK, amount: notice.amount, meta });
  } else if (mustGoBack) {
    const key = ledgerKeyOf(transferId);
    await mustPost(tx, link.merchantId, [{ kind: "post", key, debit: SETTLEMENT_BANK, credit: SUSPENSE, amount: notice.amount, meta }]);
  }
  if (!accepted) await alertOnReturn(tx, link, arrival, classification);
  const type = accepted ? "checkout.success" : "checkout.transfer_rejected";
  await appendEvent(tx, link.merchantId, type, await linkAsEventData(tx, link.merchantId, link.id));
  if (expired) await appendEvent(tx, link.merchantId, "checkout.expired", await linkAsEventData(tx, link.merchantId, expired.id));
  return expired;
}

const WHY_RETURNED: Record<Classification, (due: string) => string> = {
  exact: () => "the bank refused it",
  underpaid: (due) => `${due} was due`,
  overpaid: (due) => `${due} was due`,
  late: () => "it was too late",
  duplicate: () => "the link was paid already",
};

async function alertOnReturn(tx: Tx, link: LinkRow, { transferId, notice }: Arrival, classification: Classification): Promise<void> {
  const why = WHY_RETURNED[classification](formatMoney(money(link.amount, link.currency)));
  await raiseAlert(tx, link.merchantId, {
    ...{ type: "checkout.transfer_returned", resourceId: link.reference, cause: transferId },
    message: `${formatMoney(notice.amount)} came for a payment link, and ${why}. It goes back to the payer.`,
  });
}

/**
 * Returns our classification. Where we find `exact` but the bank has sent the money back, its reason counts; `recalled` is not a
 * classification.
 */
function classificationOf(link: LinkRow, notice: BankNotice): Classification {
  const expected = { amount: money(link.amount, link.currency), expiresAt: link.expiresAt, alreadyPaid: link.status === "success" };
  const ours = classify(expected, notice);
  const theirs = notice.returnedBecause === "recalled" ? null : notice.returnedBecause;
  return ours === "exact" ? (theirs ?? ours) : ours;
}

// The transfer was classified `exact` under the link's row lock. An expired link may still be paid by money that the bank took in time.
async function payLink(tx: Tx, link: LinkRow, notice: BankNotice): Promise<void> {
  const [paid] = await tx
    .update(paymentLinks)
    .set({ status: "success", paidAt: notice.receivedAt })
    .where(
      and(eq(paymentLinks.merchantId, link.merchantId), eq(paymentLinks.id, link.id), inArray(paymentLinks.status, ["pending", "expired"])),
    )
    .returning({ id: paymentLinks.id });
  if (!paid) throw new Error(`link ${link.id} was paid under our lock`);
}

/**
 * Records a transfer to an unknown account. Money that the bank kept is posted to the platform's suspense account and operators are
 * alerted: no merchant is credited by a guess.
 */
async function suspendUnmatched(tx: Tx, arrival: Arrival & { merchantId: string }): Promise<void> {
  const { merchantId, transferId, notice } = arrival;
  const kept = notice.returnedBecause === null;
  await tx
    .insert(bankTransfers)
    .values({ ...columnsOf(arrival), merchantId, linkId: null, classification: "unmatched", disposition: kept ? "suspended" : "returned" });
  log().warn({ provider: arrival.provider, sessionId: notice.sessionId }, "a transfer came to an account that is not known");
  if (!kept) return;
  await raiseOperatorAlert(tx, modeOf(arrival.provider), {
    type: "bank_transfer.unmatched",
    resourceId: transferId,
    message: `${formatMoney(notice.amount)} came to account ${notice.accountNumber} of ${arrival.provider}, which is nobody's. See: npm run oja -- suspense`,
  });
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
    senderBank: notice.senderBank,
    // It is for showing alone, so a wrong one must not hold up the money.
    senderAccountLast4: /^\d{4}$/.test(notice.senderAccountLast4 ?? "") ? notice.senderAccountLast4 : null,
    receivedAt: notice.receivedAt,
  };
}
