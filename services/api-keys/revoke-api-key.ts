import { sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { noteInAudit } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";
import { markExecuted } from "../idempotency/index.ts";
import { verb } from "../verb.ts";
import { type ApiKey, apiKeyFromRow } from "./api-key.ts";
import { isKey, lockApiKey } from "./rows.ts";

/** Revokes a key pair: every process refuses it within a second. Returns a pair that was revoked before as it is. Throws RESOURCE_NOT_FOUND. */
export const revokeApiKey = verb({ permission: "keys:write" }, async (ctx: TenantContext, id: string): Promise<ApiKey> => {
  return transaction(async (tx) => {
    await markExecuted(tx, ctx);
    const key = await lockApiKey(tx, ctx, id);
    if (key.revokedAt) return key;
    const [row] = await tx.update(apiKeys).set({ revokedAt: sql`now()` }).where(isKey(ctx, id)).returning();
    if (!row) throw new Error(`the locked key ${id} was not found`);
    const { name, publicKey } = key;
    await noteInAudit(tx, ctx, {
      ...{ merchantId: ctx.merchant.id, action: "api_key.revoked", subject: id },
      after: { name, public_key: publicKey },
    });
    return apiKeyFromRow(row, key);
  });
});
