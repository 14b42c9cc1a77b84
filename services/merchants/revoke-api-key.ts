import { and, eq, isNull, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { noteInAudit } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";

/** Revokes a key pair: every process refuses it within a second. Returns false if the pair does not exist or was revoked before. */
export async function revokeApiKey(ctx: TenantContext, publicKey: string): Promise<boolean> {
  const merchantId = ctx.merchant.id;
  return transaction(async (tx) => {
    const revoked = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(apiKeys.merchantId, merchantId), eq(apiKeys.publicKey, publicKey), isNull(apiKeys.revokedAt)))
      .returning({ id: apiKeys.id });
    if (revoked.length === 0) return false;
    await noteInAudit(tx, ctx, { merchantId, action: "api_key.revoked", subject: publicKey });
    return true;
  });
}
