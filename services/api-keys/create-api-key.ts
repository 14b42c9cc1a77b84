import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { apiKeys, merchants } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { keyedHash } from "#lib/secrets.ts";
import { noteInAudit } from "../audit/index.ts";
import { madeBy, type TenantContext } from "../context.ts";
import { assertLease } from "../idempotency/index.ts";
import { requireUnrestrictedInLive } from "../members/index.ts";
import type { Permission } from "../permissions.ts";
import { verb } from "../verb.ts";
import { requireAddresses } from "./addresses.ts";
import { type ApiKey, apiKeyFromRow } from "./api-key.ts";
import { type KeyPair, newPublicKey, newSecretKey } from "./key-pair.ts";
import { MANAGES_KEYS } from "./manages-keys.ts";
import { requireMayGive } from "./may-give.ts";
import { defaultPermissions, permissionNamed } from "./permission-names.ts";
import { isKey, requireWorking } from "./rows.ts";

const MAX_KEYS = 100;

export interface NewKey {
  name: string;
  /** The default is `defaultPermissions` of the mode. */
  permissions?: readonly string[] | undefined;
  /** Addresses and CIDR ranges. An empty list allows every address. */
  allowedIps?: readonly string[] | undefined;
  /** When the pair ends by itself. */
  expiresAt?: Date | null | undefined;
}

/** A key with its secret. Only a keyed hash of the secret is stored, so this is the one time that it can be shown. */
export type NewApiKey = ApiKey & KeyPair;

/**
 * Creates a key pair of a merchant. Throws VALIDATION_ERROR for an unknown permission, for text that is no address or CIDR range, for an end
 * in the past, and when the merchant has 100 keys that work; PERMISSION_DENIED for more than the member's role may give, and in live mode while the member is restricted.
 */
export const createApiKey = verb(MANAGES_KEYS, async (ctx: TenantContext, key: NewKey): Promise<NewApiKey> => {
  await requireUnrestrictedInLive(ctx);
  return transaction(async (tx) => {
    const resumed = await resumeApiKey(tx, ctx);
    if (resumed) return resumed;
    await requireRoom(tx, ctx);
    return insertApiKey(tx, ctx, key);
  });
});

/**
 * Returns the key that an earlier attempt of this request stored, with a new secret, or undefined. That attempt ended without an answer, so
 * its secret was never shown. Throws PERMISSION_DENIED as `insertApiKey` does.
 */
export async function resumeApiKey(tx: Tx, ctx: TenantContext): Promise<NewApiKey | undefined> {
  if (!ctx.resumed || ctx.resourceId === undefined) return undefined;
  await assertLease(tx, ctx);
  const secretKey = newSecretKey(ctx.merchant.mode);
  const [row] = await tx
    .update(apiKeys)
    .set({ secretHash: hashOf(secretKey) })
    .where(isKey(ctx, ctx.resourceId))
    .returning();
  if (!row) return undefined;
  const key = apiKeyFromRow(row);
  requireWorking(key);
  await requireMayGive(tx, ctx, key.permissions.map(permissionNamed));
  await noteInAudit(tx, ctx, { merchantId: ctx.merchant.id, action: "api_key.secret_replaced", subject: key.id });
  return { ...key, secretKey };
}

const hashOf = (secretKey: string) => keyedHash("api-key-hash", secretKey);

/** Does what `createApiKey` does, in the caller's transaction and without a limit of keys. Locks the head of the audit: call it last. */
export async function insertApiKey(
  tx: Tx,
  ctx: TenantContext,
  { name, permissions, allowedIps = [], expiresAt = null }: NewKey,
): Promise<NewApiKey> {
  const { id: merchantId, mode } = ctx.merchant;
  requireAddresses(allowedIps);
  const allowed: readonly Permission[] = permissions?.map(permissionNamed) ?? defaultPermissions(mode);
  await requireMayGive(tx, ctx, allowed);
  if (expiresAt && expiresAt.getTime() <= Date.now()) throw invalid("expires_at", "Send a time to come, or none.");
  const secretKey = newSecretKey(mode);
  await assertLease(tx, ctx);
  const [row] = await tx
    .insert(apiKeys)
    .values({
      ...{ merchantId, id: ctx.resourceId ?? newId("apiKey"), publicKey: newPublicKey(mode), name },
      ...{ secretHash: hashOf(secretKey), permissions: [...allowed], allowedIps: [...allowedIps], expiresAt },
      madeBy: madeBy(ctx),
    })
    .returning();
  if (!row) throw new Error("an insert without a conflict returned no row");
  const { id, publicKey } = row;
  const limits = { permissions: [...allowed], allowed_ips: [...allowedIps], expires_at: expiresAt?.toISOString() ?? null };
  await noteInAudit(tx, ctx, { merchantId, action: "api_key.created", subject: id, after: { name, public_key: publicKey, ...limits } });
  return { ...apiKeyFromRow(row), secretKey };
}

/** Locks the merchant, so that two requests at once cannot exceed the limit together. Throws VALIDATION_ERROR. */
export async function requireRoom(tx: Tx, { merchant }: TenantContext, max = MAX_KEYS): Promise<void> {
  await tx.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchant.id)).for("no key update");
  const [{ there } = { there: 0 }] = await tx
    .select({ there: sql<number>`count(*)::int` })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.merchantId, merchant.id),
        isNull(apiKeys.revokedAt),
        max === MAX_KEYS ? isNull(apiKeys.replacedBy) : undefined,
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
      ),
    );
  if (there >= max) throw invalid("name", `You have ${max} keys that work, which is the most. Revoke one first.`);
}
