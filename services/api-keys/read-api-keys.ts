import { and, eq, inArray } from "drizzle-orm";
import { db } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { notFound } from "#lib/problem.ts";
import type { OperatorContext, TenantContext } from "../context.ts";
import { isBeyond, orderOf } from "../list-window.ts";
import { type Page, type PageRequest, readPage } from "../pagination.ts";
import { type ApiKey, apiKeyFromRow } from "./api-key.ts";
import { isKey, lastUsesOf } from "./rows.ts";

/** Returns one page of a merchant's key pairs, newest first, also of those that no longer work. Throws VALIDATION_ERROR for a bad cursor. */
export const listApiKeys = (ctx: TenantContext, request: PageRequest): Promise<Page<ApiKey>> =>
  readPage({
    owner: `${ctx.merchant.id}/api-keys`,
    request,
    positionOf: ({ id }) => id,
    read: async (window) => {
      const rows = await db()
        .select()
        .from(apiKeys)
        .where(and(eq(apiKeys.merchantId, ctx.merchant.id), isBeyond(apiKeys.id, window)))
        .orderBy(orderOf(apiKeys.id, window))
        .limit(window.limit);
      const uses = await lastUsesOf(
        db(),
        ctx,
        rows.map(({ id }) => id),
      );
      return { rows: rows.map((row) => apiKeyFromRow(row, uses.get(row.id))) };
    },
  });

/** Returns a key of the merchant. Throws RESOURCE_NOT_FOUND. */
export async function getApiKey(ctx: TenantContext, id: string): Promise<ApiKey> {
  const [row] = await db().select().from(apiKeys).where(isKey(ctx, id));
  if (!row) throw notFound("API key");
  return apiKeyFromRow(row, (await lastUsesOf(db(), ctx, [id])).get(id));
}

/** Returns the names of the given keys by id. Leaves out keys of other merchants. */
export async function namesOfApiKeys({ merchant }: TenantContext, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { merchantId, id, name } = apiKeys;
  const rows = await db()
    .select({ id, name })
    .from(apiKeys)
    .where(and(eq(merchantId, merchant.id), inArray(id, ids)));
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** Returns the merchant and the id of a public key, or undefined. */
export async function findPublicKey(_ctx: OperatorContext, publicKey: string): Promise<{ merchantId: string; id: string } | undefined> {
  const { merchantId, id } = apiKeys;
  const [row] = await db().select({ merchantId, id }).from(apiKeys).where(eq(apiKeys.publicKey, publicKey));
  return row;
}
