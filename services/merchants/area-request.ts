import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { areaRequests, merchants } from "#db/schema/tenants.ts";
import type { Area } from "../context.ts";

export const ALL_AREAS: readonly Area[] = ["checkout", "cards", "vtu"];

/** Returns the area of a name. */
export const areaNamed = (name: string): Area | undefined => ALL_AREAS.find((known) => known === name);

export const isOpenRequest = (merchantId: string, area: Area): SQL | undefined =>
  and(eq(areaRequests.merchantId, merchantId), eq(areaRequests.area, area), isNull(areaRequests.closedAt));

/**
 * Locks the areas of a merchant until the transaction ends, so that no request for an area is stored while it is switched on. Returns whether it is one of
 * live mode that no operator has unlocked.
 */
export async function lockAreas(tx: Tx, merchantId: string): Promise<{ isLocked: boolean }> {
  const { mode, liveUnlockedAt } = merchants;
  const [merchant] = await tx.select({ mode, liveUnlockedAt }).from(merchants).where(eq(merchants.id, merchantId)).for("no key update");
  return { isLocked: merchant?.mode === "live" && merchant.liveUnlockedAt === null };
}

/** Closes the request for an area, if there is one. */
export async function closeRequest(tx: Tx, merchantId: string, area: Area): Promise<void> {
  await tx.update(areaRequests).set({ closedAt: sql`now()` }).where(isOpenRequest(merchantId, area));
}
