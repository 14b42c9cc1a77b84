import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";

/** Returns whether a live area is on or requested. Locks the areas, so that none is switched on in the meantime. */
export async function isLive(tx: Tx, businessId: string): Promise<boolean> {
  const isLiveOne = and(eq(merchants.businessId, businessId), eq(merchants.mode, "live"));
  const [live] = await tx.select({ id: merchants.id }).from(merchants).where(isLiveOne).for("no key update");
  if (!live) throw new Error(`business ${businessId} has no live merchant`);
  const [found] = await tx.execute(sql`
    select from merchant_areas where merchant_id = ${live.id}
    union all select from area_requests where merchant_id = ${live.id} and closed_at is null limit 1`);
  return found !== undefined;
}
