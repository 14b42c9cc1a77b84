import { hash, randomUUID } from "node:crypto";
import type { BlockList } from "node:net";
import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { isListed, toBlockList } from "#lib/peer.ts";
import { Problem } from "#lib/problem.ts";
import { keyedHash, sameDigest } from "#lib/secrets.ts";
import type { Merchant } from "../context.ts";
import { type MerchantColumns, merchantColumns, merchantFromColumns } from "../merchant-columns.ts";
import { mayBeSecretKey, modeOfPublicKey } from "./key-pair.ts";

/** A key pair as a request presents it, and the address that the request comes from. */
export interface Credentials {
  publicKey: string | null;
  secretKey: string | null;
  address: string;
}

export interface Authenticated {
  merchant: Merchant;
  keyId: string;
  permissions: string[];
}

interface KnownKey extends Authenticated {
  secretHash: string;
  /** Null allows every address. */
  allowedAddresses: BlockList | null;
  revoked: boolean;
  paused: boolean;
  expiresAtMs: number | null;
  /** The digest of the secret that last passed the check. It is dropped when the key is read again. */
  verifiedDigest: string | null;
}

/**
 * A key is cached for this long, which saves the hot path one of its two reads. A revoked key, a suspended merchant or a disabled area
 * takes effect after this time at the latest.
 */
const CACHED_FOR_MS = 1_000;
const MAX_CACHED_KEYS = 10_000;
const knownKeys = new LRUCache<string, KnownKey>({ max: MAX_CACHED_KEYS, ttl: CACHED_FOR_MS });

/** Public keys that are not in the database. Repeated guesses at one of them cause at most one read a second. */
const unknownKeys = new LRUCache<string, true>({ max: MAX_CACHED_KEYS, ttl: CACHED_FOR_MS });

/**
 * Returns the merchant and the permissions of a key pair. Throws MISSING_CREDENTIALS, INVALID_CREDENTIALS, KEY_REVOKED or IP_NOT_ALLOWED.
 */
export async function authenticate({ publicKey, secretKey, address }: Credentials): Promise<Authenticated> {
  if (!publicKey || !secretKey) {
    throw new Problem("MISSING_CREDENTIALS", "Send your public key in X-Api-Key and your secret key in X-Api-Secret.");
  }
  const mode = modeOfPublicKey(publicKey);
  if (mode === "test" && !settings().OJA_TEST_MODE) {
    throw new Problem("INVALID_CREDENTIALS", "Test mode is turned off here. Use a live key.");
  }
  const key = mode && mayBeSecretKey(secretKey, mode) ? (knownKeys.get(publicKey) ?? (await findKey(publicKey))) : undefined;
  if (!key || !isSecretOf(key, secretKey) || key.merchant.mode !== mode) {
    throw new Problem("INVALID_CREDENTIALS", "These keys are not a pair that we know. Check that both come from the same key and mode.");
  }
  if (key.revoked || (key.expiresAtMs !== null && key.expiresAtMs <= Date.now())) {
    throw new Problem("KEY_REVOKED", "This key was revoked or replaced. Use the new one.");
  }
  if (key.paused) {
    throw new Problem(
      "KEY_REVOKED",
      "This key is paused, because its maker's account was not safe. A member can resume it under Developers.",
    );
  }
  if (key.allowedAddresses && !isListed(address, key.allowedAddresses)) {
    throw new Problem("IP_NOT_ALLOWED", "This key is limited to other addresses. Add yours to its list, or use another key.");
  }
  return key;
}

const SALT_OF_THIS_PROCESS = randomUUID();

/** Returns whether a secret is the key's. The right one needs its keyed hash once a second; a cheaper salted digest serves in between. */
function isSecretOf(key: KnownKey, secretKey: string): boolean {
  const digest = hash("sha256", `${SALT_OF_THIS_PROCESS}${secretKey}`);
  if (key.verifiedDigest !== null && sameDigest(digest, key.verifiedDigest)) return true;
  if (!sameDigest(keyedHash("api-key-hash", secretKey), key.secretHash)) return false;
  key.verifiedDigest = digest;
  return true;
}

async function findKey(publicKey: string): Promise<KnownKey | undefined> {
  if (unknownKeys.has(publicKey)) return undefined;
  const [row] = await sql()<KeyRow[]>`
    select k.id as key_id, k.secret_hash, k.permissions, k.allowed_ips, k.revoked_at is not null as revoked, k.paused_at is not null as paused,
      (extract(epoch from k.expires_at) * 1000)::float8 as expires_at_ms, ${merchantColumns()}
    from api_keys k
    join merchants m on m.id = k.merchant_id
    join businesses b on b.id = m.business_id
    where k.public_key = ${publicKey}`;
  if (!row) {
    unknownKeys.set(publicKey, true);
    return undefined;
  }
  const found = toKnownKey(row);
  knownKeys.set(publicKey, found);
  return found;
}

interface KeyRow extends MerchantColumns {
  key_id: string;
  secret_hash: string;
  permissions: string[];
  allowed_ips: string[];
  revoked: boolean;
  paused: boolean;
  expires_at_ms: number | null;
}

function toKnownKey(row: KeyRow): KnownKey {
  return {
    keyId: row.key_id,
    secretHash: row.secret_hash,
    permissions: row.permissions,
    allowedAddresses: row.allowed_ips.length > 0 ? toBlockList(row.allowed_ips) : null,
    revoked: row.revoked,
    paused: row.paused,
    expiresAtMs: row.expires_at_ms,
    verifiedDigest: null,
    merchant: merchantFromColumns(row),
  };
}
