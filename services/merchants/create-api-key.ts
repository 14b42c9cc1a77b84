import { type Tx, transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { toBlockList } from "#lib/peer.ts";
import { invalid } from "#lib/problem.ts";
import { keyedHash } from "#lib/secrets.ts";
import { noteInAudit } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";
import { type KeyPair, newPublicKey, newSecretKey } from "./key-pair.ts";
import { ALL_PERMISSIONS, defaultPermissions, type Permission } from "./permissions.ts";

interface NewKey {
  name: string;
  /** The default is `defaultPermissions` of the mode. */
  permissions?: readonly string[];
  /** Addresses and CIDR ranges. An empty list allows every address. */
  allowedIps?: readonly string[];
}

/** Creates a key pair of a merchant. Throws VALIDATION_ERROR for an unknown permission, or for text that is no address or CIDR range. */
export const createApiKey = (ctx: TenantContext, key: NewKey): Promise<KeyPair> => transaction((tx) => insertApiKey(tx, ctx, key));

/** Does what `createApiKey` does, in the caller's transaction. Locks the head of the audit: call it last. */
export async function insertApiKey(tx: Tx, ctx: TenantContext, { name, permissions, allowedIps = [] }: NewKey): Promise<KeyPair> {
  const { id: merchantId, mode } = ctx.merchant;
  requireAddresses(allowedIps);
  const allowed = permissions?.map(permissionNamed) ?? defaultPermissions(mode);
  const pair = { id: newId("apiKey"), publicKey: newPublicKey(mode), secretKey: newSecretKey(mode) };
  await tx.insert(apiKeys).values({
    merchantId,
    id: pair.id,
    publicKey: pair.publicKey,
    name,
    secretHash: keyedHash("api-key-hash", pair.secretKey),
    permissions: [...allowed],
    allowedIps: [...allowedIps],
  });
  const after = { name, permissions: [...allowed], allowed_ips: [...allowedIps] };
  await noteInAudit(tx, ctx, { merchantId, action: "api_key.created", subject: pair.publicKey, after });
  return pair;
}

function permissionNamed(name: string): Permission {
  const permission = ALL_PERMISSIONS.find((known) => known === name);
  if (!permission) throw invalid("permissions", `${name} is no permission. Choose from ${ALL_PERMISSIONS.join(", ")}.`);
  return permission;
}

function requireAddresses(allowedIps: readonly string[]): void {
  try {
    toBlockList(allowedIps);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) {
      throw invalid("allowed_ips", `Send addresses and CIDR ranges: ${error.message}.`);
    }
    throw error;
  }
}
