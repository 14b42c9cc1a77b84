import { and, eq } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { HOUR_MS } from "#lib/time.ts";
import { noteInAudit } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";
import { insertApiKey } from "./create-api-key.ts";
import type { KeyPair } from "./key-pair.ts";

const MAX_OVERLAP_HOURS = 720;

interface Rolled {
  pair: KeyPair;
  /** When the old pair ends. */
  oldEndsAt: Date;
}

/**
 * Creates a new pair with the name, permissions and addresses of the old one. The old pair works for another `overlapHours`, 0 to 720.
 * Returns undefined if the old pair does not exist, or was rolled or revoked. Throws VALIDATION_ERROR for any other overlap.
 */
export async function rollApiKey(ctx: TenantContext, publicKey: string, overlapHours: number): Promise<Rolled | undefined> {
  if (!(overlapHours >= 0 && overlapHours <= MAX_OVERLAP_HOURS)) {
    throw invalid("overlap_hours", `The overlap is 0 to ${MAX_OVERLAP_HOURS} hours.`);
  }
  const merchantId = ctx.merchant.id;
  return transaction(async (tx) => {
    const isOld = and(eq(apiKeys.merchantId, merchantId), eq(apiKeys.publicKey, publicKey));
    const [old] = await tx.select().from(apiKeys).where(isOld).for("update");
    // A pair that was rolled keeps its end: a second roll must neither revive nor prolong it.
    if (!old || old.revokedAt || old.expiresAt) return undefined;
    const { name, permissions, allowedIps } = old;
    const oldEndsAt = new Date(Date.now() + overlapHours * HOUR_MS);
    await tx.update(apiKeys).set({ expiresAt: oldEndsAt }).where(isOld);
    const pair = await insertApiKey(tx, ctx, { name, permissions, allowedIps });
    const after = { replaced_by: pair.publicKey, old_ends_at: oldEndsAt.toISOString() };
    await noteInAudit(tx, ctx, { merchantId, action: "api_key.rolled", subject: publicKey, after });
    return { pair, oldEndsAt };
  });
}
