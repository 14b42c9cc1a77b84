import { eq, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";
import type { MemberContext } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import { verb } from "../verb.ts";

/** Hides the first steps on the home page of a merchant for all members, or shows them again. */
export const hideFirstSteps = verb({ permission: "settings:write" }, async (ctx: MemberContext, isAway: boolean): Promise<void> => {
  await transaction(async (tx) => {
    await markExecuted(tx, ctx);
    await tx
      .update(merchants)
      .set({ stepsPutAwayAt: isAway ? sql`now()` : null })
      .where(eq(merchants.id, ctx.merchant.id));
  });
});

/** Returns whether the first steps of a merchant are hidden. */
export async function areFirstStepsHidden({ merchant }: MemberContext): Promise<boolean> {
  const [row] = await db().select({ since: merchants.stepsPutAwayAt }).from(merchants).where(eq(merchants.id, merchant.id));
  return row !== undefined && row.since !== null;
}
