import { and, eq, gte, isNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { apiKeys, merchants } from "#db/schema/tenants.ts";
import { noteInAudit } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import { requireUnrestrictedInLive } from "../members/index.ts";
import { verb } from "../verb.ts";
import { type ApiKey, apiKeyFromRow } from "./api-key.ts";
import { MANAGES_KEYS, requireFactorFor } from "./manages-keys.ts";
import { permissionNamed } from "./permission-names.ts";
import { isKey, lockApiKey, requireNotEnded } from "./rows.ts";

/**
 * Pauses the keys that a person has made since a time, in every business and both modes: every process refuses them within a second, until a member
 * or an operator resumes them. Returns their ids by business.
 */
export async function pauseKeysMadeBy(tx: Tx, { userId, since }: { userId: string; since: Date }): Promise<Map<string, string[]>> {
  const paused = await tx
    .update(apiKeys)
    .set({ pausedAt: sql`now()` })
    .from(merchants)
    .where(
      and(
        ...[eq(merchants.id, apiKeys.merchantId), eq(apiKeys.madeBy, `member:${userId}`), gte(apiKeys.createdAt, since)],
        ...[isNull(apiKeys.revokedAt), isNull(apiKeys.pausedAt)],
      ),
    )
    .returning({ id: apiKeys.id, businessId: merchants.businessId });
  const byBusiness = Map.groupBy(paused, ({ businessId }) => businessId);
  return new Map([...byBusiness].map(([businessId, keys]) => [businessId, keys.map(({ id }) => id).toSorted()]));
}

/**
 * Lets a paused key work again. Returns one that is not paused as it is. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR for a key that was revoked or
 * has ended, and PERMISSION_DENIED while the member who acts is restricted.
 */
export const resumePausedApiKey = verb(MANAGES_KEYS, async (ctx: TenantContext, id: string): Promise<ApiKey> => {
  await requireUnrestrictedInLive(ctx);
  return transaction(async (tx) => {
    await markExecuted(tx, ctx);
    const key = await lockApiKey(tx, ctx, id);
    requireNotEnded(key);
    requireFactorFor(ctx, key.permissions.map(permissionNamed));
    if (!key.pausedAt) return key;
    const [row] = await tx.update(apiKeys).set({ pausedAt: null }).where(isKey(ctx, id)).returning();
    if (!row) throw new Error(`the locked key ${id} was not found`);
    await noteInAudit(tx, ctx, { merchantId: ctx.merchant.id, action: "api_key.resumed", subject: id });
    return apiKeyFromRow(row, key);
  });
});
