import { and, eq } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { toBlockList } from "#lib/peer.ts";
import { checksum, keyedHash, randomBase62 } from "#lib/secrets.ts";
import { defaultPermissions, type Permission } from "./permissions.ts";

/** A new pair. The secret exists only here and in the merchant's hands. */
export interface KeyPair {
  id: string;
  publicKey: string;
  secretKey: string;
}

interface NewKey {
  merchantId: string;
  mode: "test" | "live";
  name: string;
  permissions?: readonly Permission[];
  allowedIps?: string[];
}

function newSecretKey(mode: "test" | "live"): string {
  const random = randomBase62(32);
  return `sk_${mode}_${random}${checksum(random)}`;
}

const PUBLIC_KEY = /^pk_(test|live)_[0-9A-Za-z]{24}$/;
const SECRET_KEY = /^sk_(test|live)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** Returns the mode of a public key, or undefined for text that is none. */
export function modeOfPublicKey(text: string): "test" | "live" | undefined {
  return PUBLIC_KEY.exec(text)?.[1] as "test" | "live" | undefined;
}

/** Whether we may have made a secret key: its mode and its checksum are right. Says so without a look at the database. */
export function mayBeSecretKey(text: string, mode: "test" | "live"): boolean {
  const [, writtenMode, random = "", sum] = SECRET_KEY.exec(text) ?? [];
  return writtenMode === mode && checksum(random) === sum;
}

export async function createApiKey(
  tx: Tx,
  { merchantId, mode, name, permissions = defaultPermissions(mode), allowedIps = [] }: NewKey,
): Promise<KeyPair> {
  // Throws a RangeError or TypeError here, not when the key is used.
  toBlockList(allowedIps);
  const secretKey = newSecretKey(mode);
  const pair = { id: newId("apiKey"), publicKey: `pk_${mode}_${randomBase62(24)}`, secretKey };
  await tx.insert(apiKeys).values({
    merchantId,
    id: pair.id,
    publicKey: pair.publicKey,
    name,
    secretHash: keyedHash("api-key-hash", secretKey),
    permissions: [...permissions],
    allowedIps,
  });
  return pair;
}

/** Makes a new pair like the given one. The old pair works on for `overlapMs` milliseconds. Undefined when there is no such key, or it was rolled or revoked. */
export async function rollApiKey(publicKey: string, overlapMs: number): Promise<KeyPair | undefined> {
  return db().transaction(async (tx) => {
    const [old] = await tx.select().from(apiKeys).where(eq(apiKeys.publicKey, publicKey)).for("update");
    const now = new Date();
    // A pair whose end is set stays with it: rolling it again neither revives it nor gives it longer.
    if (!old || old.revokedAt || old.expiresAt) return undefined;
    const mode = publicKey.startsWith("pk_live_") ? "live" : "test";
    const pair = await createApiKey(tx, {
      merchantId: old.merchantId,
      mode,
      name: old.name,
      permissions: old.permissions as Permission[],
      allowedIps: old.allowedIps,
    });
    await tx
      .update(apiKeys)
      .set({ expiresAt: new Date(now.getTime() + overlapMs) })
      .where(and(eq(apiKeys.merchantId, old.merchantId), eq(apiKeys.publicKey, publicKey)));
    return pair;
  });
}

/** Refuses the pair from now on (within a second, on every process). False when there is no such key. */
export async function revokeApiKey(publicKey: string): Promise<boolean> {
  const rows = await db().update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.publicKey, publicKey)).returning();
  return rows.length > 0;
}
