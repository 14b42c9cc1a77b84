import { and, eq, inArray, isNotNull, or } from "drizzle-orm";
import { db, isAboutData } from "#db/client.ts";
import { bankSessions, paymentLinks } from "#db/schema/checkout.ts";
import { Batches } from "#lib/batches.ts";
import { newId } from "#lib/ids.ts";
import type { BankNotice } from "#providers/bank.ts";
import { modeOf } from "../../providers/index.ts";
import { findAccount, type LinkArrival } from "./arrival.ts";
import { receiveUnmatched } from "./receive-unmatched.ts";
import { findAmount, receiveUntold } from "./receive-untold.ts";
import { settleArrivals } from "./settle-arrivals.ts";

/** The most transfers in one commit. A busy merchant's payer waits at most for one such commit. */
const MAX_AT_ONCE = 64;
const arrivals = new Batches<LinkArrival, undefined>(receiveInOrder, { most: MAX_AT_ONCE, isAboutAnItem: isAboutData });

/**
 * Records a transfer once per bank session: payment, wallet credit, ledger entries and events commit together or not at all. Transfers to a
 * merchant that arrive together share a commit; the result is the same as one by one. `receiveFollowUp` handles later notices of a stored
 * session; an equal one changes nothing. A chain of replacements is one order, which is paid once (`pay-order.ts`). Money that a bank sends back
 * without its amount, and is not stored before, is no transfer: `receiveUntold` tells the merchant. Money that arrived at another number than that
 * of our account is unmatched.
 */
export async function receiveTransfer(provider: string, notice: BankNotice): Promise<void> {
  const account = await findAccount(provider, notice.accountReference);
  const amount = notice.amount ?? (await findAmount(provider, notice.sessionId));
  if (amount === null) return receiveUntold(provider, notice, account);
  const arrival = { provider, transferId: newId("bankTransfer"), notice: { ...notice, amount } };
  const isOfAnother = notice.accountNumber !== null && notice.accountNumber !== account?.accountNumber;
  if (!account || isOfAnother) return receiveUnmatched({ ...arrival, merchantId: `mer_platform_${modeOf(provider)}` });
  const { merchantId, linkId } = account;
  await arrivals.add(`${provider}/${merchantId}`, { ...arrival, merchantId, linkId });
}

/**
 * Receives a batch of one merchant and one bank, in order. Consecutive first notices share a transaction. Safe to repeat: a notice
 * that was received already is then a follow-up, and changes nothing.
 */
export async function receiveInOrder(_lane: string, batch: LinkArrival[]): Promise<undefined[]> {
  // For a single notice, `settleArrivals` itself detects a stored session, so the usual case needs no query before.
  if (batch.length === 1) await settleArrivals(batch);
  else await receiveSeveral(batch);
  return batch.map(() => undefined);
}

async function receiveSeveral(batch: LinkArrival[]): Promise<void> {
  const linksInChains = await linksInChainsOf(batch);
  const seen = new Set(await knownSessionsOf(batch));
  let together: LinkArrival[] = [];
  const settleTogether = async () => {
    if (together.length > 0) await settleArrivals(together);
    together = [];
  };
  for (const arrival of batch) {
    const { linkId, notice } = arrival;
    const isFollowUp = seen.has(notice.sessionId);
    seen.add(notice.sessionId);
    if (!isFollowUp && !linksInChains.has(linkId)) together.push(arrival);
    else {
      await settleTogether();
      await settleArrivals([arrival]);
    }
  }
  await settleTogether();
}

async function knownSessionsOf(batch: LinkArrival[]): Promise<string[]> {
  const [first] = batch;
  if (!first) return [];
  const sessionIds = batch.map(({ notice }) => notice.sessionId);
  const known = await db()
    .select({ sessionId: bankSessions.sessionId })
    .from(bankSessions)
    .where(and(eq(bankSessions.provider, first.provider), inArray(bankSessions.sessionId, sessionIds)));
  return known.map(({ sessionId }) => sessionId);
}

/** Returns the links that replace another or are replaced: a payment of one may change others, so it is settled alone. */
async function linksInChainsOf(batch: LinkArrival[]): Promise<Set<string>> {
  const [first] = batch;
  if (!first) return new Set();
  const { merchantId, id, replaces, replacedBy } = paymentLinks;
  const linkIds = batch.map(({ linkId }) => linkId);
  const rows = await db()
    .select({ id })
    .from(paymentLinks)
    .where(and(eq(merchantId, first.merchantId), inArray(id, linkIds), or(isNotNull(replaces), isNotNull(replacedBy))));
  return new Set(rows.map((row) => row.id));
}
