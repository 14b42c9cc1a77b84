import { and, eq, inArray } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { apiKeys, apiKeyUses } from "#db/schema/tenants.ts";
import { invalid, notFound } from "#lib/problem.ts";
import type { TenantContext } from "../context.ts";
import { type ApiKey, apiKeyFromRow, type LastUse, stateOf } from "./api-key.ts";

/** The condition on a merchant's key. */
export const isKey = ({ merchant }: TenantContext, id: string) => and(eq(apiKeys.merchantId, merchant.id), eq(apiKeys.id, id));

/** Returns the last use of each of the given keys of the merchant by id. Leaves out keys that were never used. */
export async function lastUsesOf(tx: Tx | Database, { merchant }: TenantContext, ids: string[]): Promise<Map<string, LastUse>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select()
    .from(apiKeyUses)
    .where(and(eq(apiKeyUses.merchantId, merchant.id), inArray(apiKeyUses.apiKeyId, ids)));
  return new Map(rows.map((row) => [row.apiKeyId, row]));
}

/** Returns a key of the merchant and locks its row. Throws RESOURCE_NOT_FOUND. */
export async function lockApiKey(tx: Tx, ctx: TenantContext, id: string): Promise<ApiKey> {
  const [row] = await tx.select().from(apiKeys).where(isKey(ctx, id)).for("no key update");
  if (!row) throw notFound("API key");
  return apiKeyFromRow(row, (await lastUsesOf(tx, ctx, [id])).get(id));
}

/** Throws VALIDATION_ERROR for a key that no longer works, or is paused. */
export function requireWorking(key: ApiKey): void {
  requireNotEnded(key);
  if (key.pausedAt) throw invalid("id", "This key is paused. Resume it first, or revoke it.");
}

/** Throws VALIDATION_ERROR for a key that was revoked or has ended. */
export function requireNotEnded(key: ApiKey): void {
  const state = stateOf(key);
  if (state === "revoked") throw invalid("id", "This key was revoked. Create another one.");
  if (state === "ended") throw invalid("id", "This key has ended. Create another one.");
}
