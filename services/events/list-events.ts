import { and, asc, eq, gt } from "drizzle-orm";
import { db } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { MerchantContext } from "../context.ts";
import { verb } from "../verb.ts";
import { eventFromRow, type MerchantEvent } from "./event.ts";

/** Returns up to `limit` events with a sequence above `after`, in order. A merchant that reads to the end has missed none. */
export const listEvents = verb(
  { permission: "events:read" },
  async (
    { merchant }: MerchantContext,
    { after, limit }: { after: number; limit: number },
  ): Promise<{ items: MerchantEvent[]; hasMore: boolean }> => {
    const rows = await db()
      .select()
      .from(events)
      .where(and(eq(events.merchantId, merchant.id), gt(events.sequence, BigInt(after))))
      .orderBy(asc(events.sequence))
      .limit(limit + 1);
    return { items: rows.slice(0, limit).map(eventFromRow), hasMore: rows.length > limit };
  },
);
