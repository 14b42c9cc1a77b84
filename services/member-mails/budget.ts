import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { HOUR_MS, MINUTE_MS } from "#lib/time.ts";

/** The most mails about single items that a member gets within an hour. Further items come in one summary. */
const MAX_SINGLE_AN_HOUR = 5;
/** A summary waits this long for more items. */
const GATHERS_FOR_MS = 10 * MINUTE_MS;

type Decision = { how: "singly" | "together" } | { how: "later"; at: Date };

/**
 * Decides how a member is mailed about due items: each in its own mail, at most five within an hour; further ones together in a summary, at
 * most one an hour, which waits for more items for ten minutes.
 */
export function decide(due: { count: number; oldest: Date }, sent: { singles: number; summaryAt: Date | null }, now: Date): Decision {
  if (sent.summaryAt === null && due.count + sent.singles <= MAX_SINGLE_AN_HOUR) return { how: "singly" };
  const nextSummary = Math.max((sent.summaryAt?.getTime() ?? 0) + HOUR_MS, due.oldest.getTime() + GATHERS_FOR_MS);
  return nextSummary <= now.getTime() ? { how: "together" } : { how: "later", at: new Date(nextSummary) };
}

interface Sent {
  singles: number;
  summaryAt: Date | null;
  /** The time of the database's clock, because all times of the items come from it. */
  now: Date;
}

/** Returns how many mails a member got within the last hour about items that are not mailed once a day. */
export async function sentWithinAnHour(tx: Tx, { merchantId, userId }: { merchantId: string; userId: string }): Promise<Sent> {
  const [row] = await tx.execute<{ singles: number; summary_at: string | null; now: string }>(sql`
    select count(*) filter (where mailed_in = 'news')::int as singles, max(mailed_at) filter (where mailed_in = 'summary') as summary_at, now() as now
    from mail_items
    where merchant_id = ${merchantId} and user_id = ${userId} and frequency = 'each' and mailed_at > now() - interval '1 hour'`);
  if (!row) throw new Error("an aggregate without groups returned no row");
  return { singles: row.singles, summaryAt: row.summary_at === null ? null : new Date(row.summary_at), now: new Date(row.now) };
}
