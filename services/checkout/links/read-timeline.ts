import { sql } from "#db/client.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { MemberContext, MerchantContext } from "../../context.ts";
import { findEventsAbout, type MerchantEvent } from "../../events/index.ts";
import { findWalletPostings } from "../../ledger/index.ts";
import { mayRole } from "../../members/index.ts";
import { listDeliveriesOfEvents } from "../../webhooks/index.ts";
import { ledgerKeyOf, type PaymentLink, recallKeyOf } from "../payment-link.ts";
import type { Refund } from "../refund.ts";
import { listRefundsOfLink } from "../refunds/list-refunds.ts";
import type { ActivityKind, PublicTimelineEntry, TimelineEntry } from "../timeline-entry.ts";
import { getLinkByReference } from "./read-links.ts";

interface ActivityRow {
  kind: ActivityKind;
  first_at: string;
  last_at: string;
  times: number;
}

/** Returns what happened to a link, in the order of time. Throws RESOURCE_NOT_FOUND. */
export async function readTimeline(ctx: MerchantContext, reference: string): Promise<PublicTimelineEntry[]> {
  const { entries } = await readEntries(ctx, reference);
  return inOrderOfTime(entries);
}

/** As `readTimeline`, with the events of the link and their deliveries as far as the member's role may see them. */
export async function readTimelineForMember(ctx: MemberContext, reference: string): Promise<TimelineEntry[]> {
  const { link, entries, refunds, times } = await readEntries(ctx, reference);
  const events = await readEvents(ctx, link, times, refunds);
  const deliveries = await readDeliveries(ctx, events);
  return inOrderOfTime([...entries, ...events.map(entryOf), ...deliveries]);
}

/** Returns the link, its entries without events, and the times at which events about its transfers were written. */
async function readEntries(ctx: MerchantContext, reference: string) {
  const link = await getLinkByReference(ctx, reference);
  const [activity, postings, refunds] = await Promise.all([
    readActivity(link),
    readPostings(link),
    listRefundsOfLink(ctx, link.id, MAX_REFUNDS),
  ]);
  const entries = [...ownEntries(link), ...activity, ...postings.entries, ...refunds.map(ofRefund)];
  return { link, entries, refunds, times: postings.times };
}

/** More than a payment has. */
const MAX_REFUNDS = 100;

const ofRefund = ({ amount, status, createdAt, paidAt, endedAt }: Refund): PublicTimelineEntry => ({
  ...{ type: "refund", amount, status },
  at: endedAt ?? paidAt ?? createdAt,
});

const inOrderOfTime = <Entry extends TimelineEntry>(entries: Entry[]): Entry[] =>
  entries.toSorted((a, b) => a.at.getTime() - b.at.getTime());

function ownEntries({ createdAt, transfers, status, expiresAt }: PaymentLink): PublicTimelineEntry[] {
  return [
    { type: "created", at: createdAt },
    ...transfers.map(({ receivedAt, ...transfer }) => ({ type: "transfer" as const, at: receivedAt, ...transfer })),
    ...(status === "expired" ? [{ type: "expired" as const, at: expiresAt }] : []),
  ];
}

async function readActivity({ merchantId, id }: PaymentLink): Promise<PublicTimelineEntry[]> {
  const rows = await sql()<ActivityRow[]>`
    select kind, first_at, last_at, times from payment_link_activity where merchant_id = ${merchantId} and link_id = ${id} order by kind`;
  return rows.map(({ kind, first_at, last_at, times }) => ({ type: kind, at: new Date(first_at), lastAt: new Date(last_at), times }));
}

/** Returns the postings of the link's transfers to the wallet, and the times at which events about those transfers were written. */
async function readPostings({ merchantId, id }: PaymentLink): Promise<{ entries: PublicTimelineEntry[]; times: Date[] }> {
  const transfers = await sql()<{ id: string; created_at: string }[]>`
    select id, created_at from bank_transfers where merchant_id = ${merchantId} and link_id = ${id}`;
  const keys = transfers.flatMap((transfer) => [ledgerKeyOf(transfer.id), recallKeyOf(transfer.id)]);
  const postings = await findWalletPostings(merchantId, keys);
  return {
    entries: postings.map(({ createdAt, amount, direction }) => ({ type: "posting", at: createdAt, amount, direction })),
    // A transaction writes posting, transfer and event with one time.
    times: [...transfers.map(({ created_at }) => new Date(created_at)), ...postings.map(({ createdAt }) => createdAt)],
  };
}

/** The sweep expires a link within seconds. After a longer pause of the worker the event is not found. */
const MAX_SWEEP_DELAY_MS = 2 * MINUTE_MS;

async function readEvents(
  { role, merchant }: MemberContext,
  link: PaymentLink,
  times: Date[],
  refunds: Refund[],
): Promise<MerchantEvent[]> {
  if (!mayRole(role, "events:read", merchant.mode)) return [];
  const about = { field: "reference", value: link.reference };
  const rangeOf = (at: Date) => ({ from: at, to: at });
  const found = await Promise.all([
    ...distinct(times).map((at) => findEventsAbout(merchant.id, { ...about, types: ABOUT_TRANSFERS, ...rangeOf(at) })),
    ...refunds.slice(0, MAX_TIMES).flatMap((refund) => eventsOfRefund(merchant.id, refund)),
    ...(link.status === "pending" ? [] : [findEventsAbout(merchant.id, { ...about, types: ["checkout.expired"], ...expiryOf(link) })]),
  ]);
  return [...new Map(found.flat().map((event) => [event.id, event])).values()];
}

const ABOUT_TRANSFERS = ["checkout.success", "checkout.transfer_rejected", "checkout.transfer_recalled"] as const;
/** Searches at most this many times: each is a separate search, and strangers can send many small transfers to a link. */
const MAX_TIMES = 20;
const ABOUT_REFUNDS = ["checkout.refund_paid", "checkout.refund_failed", "checkout.refund_reversed"] as const;

/** Returns the events of a refund, at the times of its changes, which are rounded down. */
const eventsOfRefund = (merchantId: string, { id, paidAt, endedAt }: Refund) =>
  [paidAt, endedAt].flatMap((at) =>
    at === null
      ? []
      : [findEventsAbout(merchantId, { field: "id", value: id, types: ABOUT_REFUNDS, from: at, to: new Date(at.getTime() + SECOND_MS) })],
  );

const distinct = (times: Date[]) =>
  [...new Set(times.map((time) => time.getTime()))]
    .toSorted((a, b) => b - a)
    .slice(0, MAX_TIMES)
    .map((time) => new Date(time));
const expiryOf = ({ expiresAt }: PaymentLink) => ({
  // The event has the time when its transaction began, and that transaction may have waited for a lock.
  from: new Date(expiresAt.getTime() - MINUTE_MS),
  to: new Date(expiresAt.getTime() + MAX_SWEEP_DELAY_MS),
});

const entryOf = ({ id, type, sequence, createdAt }: MerchantEvent): TimelineEntry => ({
  ...{ type: "event", at: createdAt },
  ...{ id, eventType: type, sequence },
});

async function readDeliveries(ctx: MemberContext, events: MerchantEvent[]): Promise<TimelineEntry[]> {
  if (!mayRole(ctx.role, "webhooks:read", ctx.merchant.mode) || events.length === 0) return [];
  const deliveries = await listDeliveriesOfEvents(
    ctx,
    events.map(({ id }) => id),
  );
  return deliveries.map(({ id, eventType, status, attemptCount, lastResponseStatus, url, deliveredAt, createdAt }) => ({
    ...{ type: "delivery", at: deliveredAt ?? createdAt },
    ...{ id, eventType, status, attemptCount, lastResponseStatus, url },
  }));
}
