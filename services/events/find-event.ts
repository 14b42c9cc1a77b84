import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import type { MerchantContext } from "../context.ts";
import { eventFromRow, type MerchantEvent } from "./event.ts";

/** Returns an event of the merchant by its id. */
export async function findEvent({ merchant }: MerchantContext, id: string): Promise<MerchantEvent | undefined> {
  const [row] = await db()
    .select()
    .from(events)
    .where(and(eq(events.merchantId, merchant.id), eq(events.id, id)));
  return row && eventFromRow(row);
}
