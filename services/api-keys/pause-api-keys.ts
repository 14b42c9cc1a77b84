import { and, eq, gte, inArray, isNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { apiKeys, merchants } from "#db/schema/tenants.ts";
import { noteInAudit } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";
import { type ApiKey, apiKeyFromRow } from "./api-key.ts";
import { requireMayManage } from "./may-manage.ts";
import { isKey, lockApiKey, requireNotEnded } from "./rows.ts";

/**
 * Pauses the keys of a business, in both modes, that a member has made since a time: every process refuses them within a second, until a member
 * resumes them. Returns their ids.
 */
export async function pauseKeysMadeBy(
  tx: Tx,
  { businessId, userId, since }: { businessId: string; userId: string; since: Date },
): Promise<string[]> {
  const ofBusiness = tx.select({ id: merchants.id }).from(merchants).where(eq(merchants.businessId, businessId));
  const paused = await tx
    .update(apiKeys)
    .set({ pausedAt: sql`now()` })
    .where(
      and(
        ...[inArray(apiKeys.merchantId, ofBusiness), eq(apiKeys.madeBy, `member:${userId}`), gte(apiKeys.createdAt, since)],
        ...[isNull(apiKeys.revokedAt), isNull(apiKeys.pausedAt)],
      ),
    )
    .returning({ id: apiKeys.id });
  return paused.map(({ id }) => id).toSorted();
}

/**
 * Lets a paused key work again. Returns one that is not paused as it is. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR for a key that was revoked or
 * has ended, and PERMISSION_DENIED while the member who acts is restricted.
 */
export async function resumePausedApiKey(ctx: TenantContext, id: string): Promise<ApiKey> {
  await requireMayManage(ctx);
  return transaction(async (tx) => {
    const key = await lockApiKey(tx, ctx, id);
    requireNotEnded(key);
    if (!key.pausedAt) return key;
    const [row] = await tx.update(apiKeys).set({ pausedAt: null }).where(isKey(ctx, id)).returning();
    if (!row) throw new Error(`${id} is gone under its lock`);
    await noteInAudit(tx, ctx, { merchantId: ctx.merchant.id, action: "api_key.resumed", subject: id });
    return apiKeyFromRow(row, key);
  });
}
