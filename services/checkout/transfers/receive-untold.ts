import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { bankSessions, bankTransfers, paymentLinks } from "#db/schema/checkout.ts";
import { log } from "#lib/log.ts";
import { type Money, money } from "#lib/money.ts";
import type { BankNotice } from "#providers/bank.ts";
import { raiseAlert } from "../../alerts/index.ts";
import type { Account } from "./arrival.ts";

/** Returns the amount of a transfer that is stored, because a bank that tells of it again may leave it out. */
export async function findAmount(provider: string, sessionId: string): Promise<Money | null> {
  const { merchantId, transferId } = bankSessions;
  const [stored] = await db()
    .select({ amount: bankTransfers.amount, currency: bankTransfers.currency })
    .from(bankSessions)
    .innerJoin(bankTransfers, and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.id, transferId)))
    .where(and(eq(bankSessions.provider, provider), eq(bankSessions.sessionId, sessionId)));
  return stored ? money(stored.amount, stored.currency) : null;
}

/**
 * Tells the merchant of a link, once per bank session, that a bank sends money back and does not say how much. No transfer is stored: it would
 * have neither amount nor classification. Money for an unknown account is only logged, because it goes back.
 */
export async function receiveUntold(
  provider: string,
  { sessionId, returnedBecause }: BankNotice,
  account: Account | undefined,
): Promise<void> {
  if (returnedBecause === null) throw new Error(`${provider} keeps the money of session ${sessionId} and does not say how much it is`);
  if (!account) return log().warn({ provider, sessionId }, "a bank sends money back that came to an account that is not known");
  const { merchantId, linkId } = account;
  const [link] = await db()
    .select({ reference: paymentLinks.reference })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, linkId)));
  if (!link) throw new Error(`there is no link ${linkId} of ${merchantId}`);
  await raiseAlert(db(), merchantId, {
    ...{ type: "checkout.return_untold", resourceId: link.reference, cause: `${provider}:${sessionId}` },
    message: "Money came for a payment link that does not pay it, and the bank sends it back. The bank does not say how much it is.",
  });
}
