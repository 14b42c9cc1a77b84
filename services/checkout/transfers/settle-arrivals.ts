import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { afterCommit, type Tx, transaction } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { formatMoney, money } from "#lib/money.ts";
import { raiseAlert } from "../../alerts/index.ts";
import { appendEvents, type NewEvent } from "../../events/index.ts";
import { mustPost, SETTLEMENT_BANK, SUSPENSE, type Transfer, walletCredit } from "../../ledger/index.ts";
import { closeAtBank } from "../bank-limits.ts";
import { linkAsEventData, linkEventData } from "../links/link-as-event-data.ts";
import { type Classification, type LinkRow, ledgerKeyOf } from "../payment-link.ts";
import { lockLinks } from "../rows.ts";
import { type LinkArrival, storeSessions, storeTransfers, type TransferNotice } from "./arrival.ts";
import { classify } from "./classify.ts";
import { isInChain, payerOfOrder, payOrder } from "./pay-order.ts";
import { receiveFollowUp } from "./receive-follow-up.ts";

/**
 * Settles the first notices of bank sessions of one merchant, in order, in one transaction. A payment of a link in a chain of replacements stands
 * must be alone in its batch, because it pays the order of all, and may expire another. Throws an Error if a session is stored already, or a
 * link was replaced meanwhile, unless the batch has one notice: the caller then settles them one by one. Locks: sessions, links by id, a link of
 * the chain, ledger accounts, event counter.
 */
export function settleArrivals(arrivals: LinkArrival[]): Promise<void> {
  const [only] = arrivals.length === 1 ? arrivals : [];
  return transaction(async (tx) => {
    const isStoredBefore = (await storeSessions(tx, arrivals)) < arrivals.length;
    if (isStoredBefore && !only) throw new Error("a session of this batch is stored already");
    if (isStoredBefore && only) await receiveFollowUp(tx, only.provider, only.notice);
    else await settle(tx, arrivals);
  });
}

async function settle(tx: Tx, arrivals: LinkArrival[]): Promise<void> {
  const settlements = decide(await lockLinks(tx, arrivals), arrivals);
  const isAlone = settlements.length === 1;
  if (!isAlone && settlements.some(({ link }) => isInChain(link))) throw new Error("a link of this batch was replaced");
  await storeTransfers(tx, settlements.map(toStored));
  await payLinks(tx, settlements);
  const [first] = settlements;
  const expired = first?.isAccepted && isInChain(first.link) ? await payOrder(tx, first.link) : undefined;
  const postings = settlements.flatMap(postingsOf);
  if (postings.length > 0) await mustPost(tx, merchantOf(arrivals), postings);
  for (const settlement of settlements) if (!settlement.isAccepted) await alertOnReturn(tx, settlement);
  await appendEvents(tx, merchantOf(arrivals), [...(await eventsOf(tx, settlements)), ...(expired ? [await expiryOf(tx, expired)] : [])]);
  if (expired) afterCommit(tx, () => void closeAtBank(expired));
}

interface Settlement {
  arrival: LinkArrival;
  /** The link after the settlement. */
  link: LinkRow;
  classification: Classification;
  /** Whether the transfer pays its link. */
  isAccepted: boolean;
  /** Whether the bank kept money that we refuse. It stays in suspense until the bank confirms its return. */
  mustGoBack: boolean;
}

/** Classifies each arrival, in order: after one that pays a link, the next one for the same link is a duplicate. */
function decide(locked: LinkRow[], arrivals: LinkArrival[]): Settlement[] {
  const links = new Map(locked.map((link) => [link.id, link]));
  return arrivals.map((arrival) => {
    const { linkId, notice } = arrival;
    const before = links.get(linkId);
    if (!before) throw new Error(`there is no link ${linkId} of ${arrival.merchantId}`);
    const classification = classificationOf(before, payerOfOrder([...links.values()], before) !== null, notice);
    const isAccepted = classification === "exact" && notice.returnedBecause === null;
    // An expired link may still be paid by money that the bank took in time.
    const link: LinkRow = isAccepted ? { ...before, status: "success", paidAt: notice.receivedAt } : before;
    links.set(linkId, link);
    return { arrival, link, classification, isAccepted, mustGoBack: !isAccepted && notice.returnedBecause === null };
  });
}

/**
 * Returns our classification. If we find `exact` but the bank has sent the money back, the bank's reason counts, where it is a classification. We
 * know that the link is not paid, so `late_or_duplicate` is late.
 */
function classificationOf(link: LinkRow, alreadyPaid: boolean, notice: TransferNotice): Classification {
  const expected = { amount: money(link.amount, link.currency), expiresAt: link.expiresAt, alreadyPaid };
  const ours = classify(expected, notice);
  if (ours !== "exact") return ours;
  switch (notice.returnedBecause) {
    case null:
    case "recalled":
    case "other":
      return "exact";
    case "late_or_duplicate":
      return "late";
    default:
      return notice.returnedBecause;
  }
}

const toStored = ({ arrival, classification, isAccepted, mustGoBack }: Settlement) => ({
  arrival,
  received: { linkId: arrival.linkId, classification, disposition: isAccepted ? ("accepted" as const) : ("returned" as const), mustGoBack },
});

/** The links are locked, so each is as it was when its transfer was accepted. */
async function payLinks(tx: Tx, settlements: Settlement[]): Promise<void> {
  const paid = settlements.filter(({ isAccepted }) => isAccepted).map(({ link: { id, paidAt } }) => ({ id, paid_at: paidAt }));
  const [first] = settlements;
  if (!first || paid.length === 0) return;
  const rows = await tx.execute(sql`
    update payment_links l set status = 'success', paid_at = p.paid_at
    from json_to_recordset(${JSON.stringify(paid)}::text::json) p(id text, paid_at timestamptz)
    where l.merchant_id = ${first.link.merchantId} and l.id in ${paid.map(({ id }) => id)} and l.id = p.id and l.status in ('pending', 'expired')
    returning l.id`);
  if (rows.length < paid.length) throw new Error(`locked links of ${first.link.merchantId} were paid by another transaction`);
}

function postingsOf({ arrival: { transferId, notice }, link, isAccepted, mustGoBack }: Settlement): Transfer[] {
  const key = ledgerKeyOf(transferId);
  const meta = { type: "payment_link", reference: link.reference };
  const { amount } = notice;
  if (isAccepted) return [walletCredit({ key, from: SETTLEMENT_BANK, amount, meta })];
  return mustGoBack ? [{ kind: "post", key, debit: SETTLEMENT_BANK, credit: SUSPENSE, amount, meta }] : [];
}

const WHY_RETURNED: Record<Classification, (due: string) => string> = {
  exact: () => "the bank refused it",
  underpaid: (due) => `${due} was due`,
  overpaid: (due) => `${due} was due`,
  late: () => "it was too late",
  duplicate: () => "it was paid already",
};

async function alertOnReturn(tx: Tx, { arrival: { transferId, notice }, link, classification }: Settlement): Promise<void> {
  const why = WHY_RETURNED[classification](formatMoney(money(link.amount, link.currency)));
  await raiseAlert(tx, link.merchantId, {
    ...{ type: "checkout.transfer_returned", resourceId: link.reference, cause: transferId },
    message: `${formatMoney(notice.amount)} came for a payment link, and ${why}. It goes back to the payer.`,
  });
}

/** Returns an event for each settlement. Its data is the link as that settlement left it, without the transfers of later ones. */
async function eventsOf(tx: Tx, settlements: Settlement[]): Promise<NewEvent[]> {
  const [first] = settlements;
  if (!first) return [];
  const linkIds = settlements.map(({ link }) => link.id);
  const transfers = await tx
    .select()
    .from(bankTransfers)
    .where(and(eq(bankTransfers.merchantId, first.link.merchantId), inArray(bankTransfers.linkId, linkIds)))
    .orderBy(asc(bankTransfers.receivedAt), asc(bankTransfers.id));
  const later = new Set(settlements.map(({ arrival }) => arrival.transferId));
  return settlements.map(({ arrival, link, isAccepted }) => {
    later.delete(arrival.transferId);
    const own = transfers.filter(({ id, linkId }) => linkId === link.id && !later.has(id));
    return { type: isAccepted ? "checkout.success" : "checkout.transfer_rejected", data: linkEventData(link, own) };
  });
}

const expiryOf = async (tx: Tx, { merchantId, id }: LinkRow): Promise<NewEvent> => ({
  type: "checkout.expired",
  data: await linkAsEventData(tx, merchantId, id),
});

function merchantOf([first]: LinkArrival[]): string {
  if (!first) throw new Error("a batch has at least one notice");
  return first.merchantId;
}
