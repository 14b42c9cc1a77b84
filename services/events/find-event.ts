import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { verb } from "../verb.ts";
import { eventFromRow, type MerchantEvent } from "./event.ts";

/** Returns an event of the merchant by its id, or undefined. */
export async function findEvent({ merchant }: MerchantContext, id: string): Promise<MerchantEvent | undefined> {
  const [row] = await db()
    .select()
    .from(events)
    .where(and(eq(events.merchantId, merchant.id), eq(events.id, id)));
  return row && eventFromRow(row);
}

/** As `findEvent`. Throws RESOURCE_NOT_FOUND. */
export const getEvent = verb({ permission: "events:read" }, async (ctx: MerchantContext, id: string): Promise<MerchantEvent> => {
  const event = await findEvent(ctx, id);
  if (!event) throw notFound("event");
  return event;
});
