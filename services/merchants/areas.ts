import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { merchantAreas } from "#db/schema/tenants.ts";
import type { Area } from "../context.ts";

export async function enableArea(merchantId: string, area: Area): Promise<void> {
  await db().insert(merchantAreas).values({ merchantId, area }).onConflictDoNothing();
}

export async function disableArea(merchantId: string, area: Area): Promise<void> {
  await db()
    .delete(merchantAreas)
    .where(and(eq(merchantAreas.merchantId, merchantId), eq(merchantAreas.area, area)));
}
