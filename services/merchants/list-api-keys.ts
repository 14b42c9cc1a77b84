import { asc, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import type { OperatorContext, TenantContext } from "../context.ts";

/** A key pair without its secret, as a merchant's members may see it. */
export interface ApiKey {
  publicKey: string;
  name: string;
  revokedAt: Date | null;
  /** When a pair that was rolled ends. Null for any other pair. */
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

const { publicKey, name, revokedAt, expiresAt, lastUsedAt } = apiKeys;

/** Returns all key pairs of a merchant, oldest first. */
export const listApiKeys = ({ merchant }: TenantContext): Promise<ApiKey[]> =>
  db()
    .select({ publicKey, name, revokedAt, expiresAt, lastUsedAt })
    .from(apiKeys)
    .where(eq(apiKeys.merchantId, merchant.id))
    .orderBy(asc(apiKeys.id));

/** Returns the id of the merchant that has this public key, or undefined. */
export async function findMerchantOfKey(_ctx: OperatorContext, key: string): Promise<string | undefined> {
  const [row] = await db().select({ merchantId: apiKeys.merchantId }).from(apiKeys).where(eq(apiKeys.publicKey, key));
  return row?.merchantId;
}
