import { asc, eq, isNull } from "drizzle-orm";
import { db } from "#db/client.ts";
import { areaRequests, businesses, merchants } from "#db/schema/tenants.ts";
import { type Actor, type Area, actorOf, type Merchant, type OperatorContext } from "../context.ts";

/** An area that a merchant waits for. */
export interface AreaRequest {
  business: string;
  merchantId: string;
  mode: Merchant["mode"];
  area: Area;
  madeBy: Actor;
  createdAt: Date;
}

/** Returns the open requests of all merchants, oldest first, at most `limit`. */
export async function listAreaRequests(_ctx: OperatorContext, limit = 500): Promise<AreaRequest[]> {
  const { merchantId, area, madeBy, createdAt } = areaRequests;
  const rows = await db()
    .select({ business: businesses.name, merchantId, mode: merchants.mode, area, madeBy, createdAt })
    .from(areaRequests)
    .innerJoin(merchants, eq(merchants.id, merchantId))
    .innerJoin(businesses, eq(businesses.id, merchants.businessId))
    .where(isNull(areaRequests.closedAt))
    .orderBy(asc(createdAt), asc(areaRequests.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, madeBy: actorOf(row.madeBy) }));
}
