import { and, asc, eq, gt } from "drizzle-orm";
import { db } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { MerchantContext } from "../context.ts";
import { eventFromRow, type MerchantEvent } from "./event.ts";

/** Returns the feed upwards from the event after `after`. Reading it to the end proves that nothing was missed. */
export async function listEvents(
  { merchant }: MerchantContext,
  { after, limit }: { after: number; limit: number },
): Promise<{ items: MerchantEvent[]; hasMore: boolean }> {
  const rows = await db()
    .select()
    .from(events)
    .where(and(eq(events.merchantId, merchant.id), gt(events.sequence, BigInt(after))))
    .orderBy(asc(events.sequence))
    .limit(limit + 1);
  return { items: rows.slice(0, limit).map(eventFromRow), hasMore: rows.length > limit };
}
