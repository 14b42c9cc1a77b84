import { sql } from "#db/client.ts";
import type { MerchantContext } from "../context.ts";
import { getLinkByReference } from "./read-links.ts";
import type { ActivityKind, TimelineEntry } from "./timeline-entry.ts";

interface ActivityRow {
  kind: ActivityKind;
  first_at: string;
  last_at: string;
  times: number;
}

/** Returns the events of a link in the order of time. Throws RESOURCE_NOT_FOUND. */
export async function readTimeline(ctx: MerchantContext, reference: string): Promise<TimelineEntry[]> {
  const link = await getLinkByReference(ctx, reference);
  const activity = await sql()<ActivityRow[]>`
    select kind, first_at, last_at, times from payment_link_activity where merchant_id = ${ctx.merchant.id} and link_id = ${link.id} order by kind`;
  const entries: TimelineEntry[] = [
    { type: "created", at: link.createdAt },
    ...activity.map(({ kind, first_at, last_at, times }) => ({ type: kind, at: new Date(first_at), lastAt: new Date(last_at), times })),
    ...link.transfers.map(({ receivedAt, amount, classification, disposition }) => ({
      type: "transfer" as const,
      at: receivedAt,
      amount,
      classification,
      disposition,
    })),
  ];
  if (link.status === "expired") entries.push({ type: "expired", at: link.expiresAt });
  return entries.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}
