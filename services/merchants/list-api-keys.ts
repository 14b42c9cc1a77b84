import { asc, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import type { OperatorContext, TenantContext } from "../context.ts";

/** A key pair as anybody of the merchant may see it. */
export interface ApiKey {
  publicKey: string;
  name: string;
  revokedAt: Date | null;
  /** When the pair ends, because it was rolled. */
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

const { publicKey, name, revokedAt, expiresAt, lastUsedAt } = apiKeys;

/** Oldest first. */
export const listApiKeys = ({ merchant }: TenantContext): Promise<ApiKey[]> =>
  db()
    .select({ publicKey, name, revokedAt, expiresAt, lastUsedAt })
    .from(apiKeys)
    .where(eq(apiKeys.merchantId, merchant.id))
    .orderBy(asc(apiKeys.id));

/** Returns the id of the merchant whose key it is, or undefined. */
export async function findMerchantOfKey(_ctx: OperatorContext, key: string): Promise<string | undefined> {
  const [row] = await db().select({ merchantId: apiKeys.merchantId }).from(apiKeys).where(eq(apiKeys.publicKey, key));
  return row?.merchantId;
}
