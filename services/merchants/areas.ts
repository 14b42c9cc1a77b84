import { and, eq } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { merchantAreas } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { verb } from "../verb.ts";
import { ALL_AREAS, areaNamed, closeRequest, lockAreas } from "./area-request.ts";

/**
 * Enables or disables an area for a merchant. Enabling closes the request for it. Throws VALIDATION_ERROR for a name that is no area, and for an area of
 * live mode that is to be enabled while live mode is locked.
 */
export const switchArea = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, merchantId: string, name: string, on: boolean): Promise<void> => {
    const area = areaNamed(name);
    if (!area) throw invalid("area", `${name} is no area. Choose from ${ALL_AREAS.join(", ")}.`);
    await transaction(async (tx) => {
      const { isLocked } = await lockAreas(tx, merchantId);
      if (on && isLocked)
        throw invalid("merchant", `Live mode of ${merchantId} is locked. First: npm run oja -- unlock-live ${merchantId} --reason TEXT`);
      if (on) await closeRequest(tx, merchantId, area);
      const changed = on
        ? await tx.insert(merchantAreas).values({ merchantId, area }).onConflictDoNothing().returning()
        : await tx
            .delete(merchantAreas)
            .where(and(eq(merchantAreas.merchantId, merchantId), eq(merchantAreas.area, area)))
            .returning();
      if (changed.length === 0) return;
      const [action, fields] = on ? ["area.enabled", { after: { area } }] : ["area.disabled", { before: { area } }];
      await noteInAudit(tx, ctx, { merchantId, action, subject: merchantId, ...fields });
    });
  },
);
