import { eq } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { areaRequests, merchantAreas } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { notFound } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import { type MerchantContext, madeBy } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import { verb } from "../verb.ts";
import { areaNamed, lockAreas } from "./area-request.ts";
import { type AreaState, findAreaState } from "./find-area-state.ts";

/**
 * Asks operators to switch an area on. Asking again changes nothing, and neither does asking for an area that is on. Returns how the area stands
 * afterwards. Throws RESOURCE_NOT_FOUND for a name that is no area.
 */
export const requestArea = verb({ permission: "settings:write" }, async (ctx: MerchantContext, name: string): Promise<AreaState> => {
  const area = areaNamed(name);
  if (!area) throw notFound("area");
  const { id: merchantId } = ctx.merchant;
  await transaction(async (tx) => {
    await markExecuted(tx, ctx);
    await lockAreas(tx, merchantId);
    const enabled = await tx.select({ area: merchantAreas.area }).from(merchantAreas).where(eq(merchantAreas.merchantId, merchantId));
    if (enabled.some((one) => one.area === area)) return;
    const id = ctx.resourceId ?? newId("areaRequest");
    const made = await tx
      .insert(areaRequests)
      .values({ merchantId, id, area, madeBy: madeBy(ctx) })
      .onConflictDoNothing()
      .returning({ id: areaRequests.id });
    if (made.length > 0) await noteInAudit(tx, ctx, { merchantId, action: "area.requested", subject: merchantId, after: { area } });
  });
  return findAreaState(ctx, area);
});
