import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { invalid, notFound } from "#lib/problem.ts";
import type { TenantContext } from "../context.ts";
import { type ApiKey, apiKeyFromRow, stateOf } from "./api-key.ts";

/** The condition on a merchant's key. */
export const isKey = ({ merchant }: TenantContext, id: string) => and(eq(apiKeys.merchantId, merchant.id), eq(apiKeys.id, id));

/** Returns a key of the merchant and locks its row. Throws RESOURCE_NOT_FOUND. */
export async function lockApiKey(tx: Tx, ctx: TenantContext, id: string): Promise<ApiKey> {
  const [row] = await tx.select().from(apiKeys).where(isKey(ctx, id)).for("no key update");
  if (!row) throw notFound("API key");
  return apiKeyFromRow(row);
}

/** Throws VALIDATION_ERROR for a key that no longer works. */
export function requireWorking(key: ApiKey): void {
  const state = stateOf(key);
  if (state === "revoked") throw invalid("id", "This key was revoked. Create another one.");
  if (state === "ended") throw invalid("id", "This key has ended. Create another one.");
}
