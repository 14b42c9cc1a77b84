import { createHmac, hkdfSync, randomInt, scrypt, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { settings } from "./env.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** What a derived key is for. Each purpose has a key of its own, so that one can never stand in for another. */
type Purpose =
  | "api-key-hash"
  | "idempotency-body"
  | "sandbox-notices"
  | "sandbox-requests"
  | "sandbox-card-numbers"
  | "sandbox-vtu-tokens"
  | SealPurpose;
/** What is sealed (lib/sealed). */
export type SealPurpose = "webhook-secret" | "vtu-delivery" | "list-cursor";

const derivedKeys = new Map<Purpose, Buffer>();

/** 32 bytes, derived once from the secret key of the settings. */
export function keyFor(purpose: Purpose): Buffer {
  const known = derivedKeys.get(purpose);
  if (known) return known;
  const derived = Buffer.from(hkdfSync("sha256", settings().OJA_SECRET_KEY, "oja", purpose, 32));
  derivedKeys.set(purpose, derived);
  return derived;
}

/** HMAC-SHA-256 under the key of a purpose, in hexadecimal. */
export function keyedHash(purpose: Purpose, text: string): string {
  return createHmac("sha256", keyFor(purpose)).update(text).digest("hex");
}

/** Compares in constant time. Lengths are not secret here: both sides are digests of one size. */
export function sameDigest(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(62))).join("");
}

/** Six characters that let a scanner tell a leaked key from noise, as GitHub's tokens have them. */
export function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < 6; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const SCRYPT_COST = 2 ** 15;

function deriveFromPassword(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: SCRYPT_COST, r: 8, p: 1, maxmem: 128 * SCRYPT_COST * 16 };
    scrypt(password.normalize("NFKC"), salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** `scrypt$salt$digest`, parameters as OWASP's password storage cheat sheet has them (N = 2^15, r = 8). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBase62(22);
  const digest = await deriveFromPassword(password, salt);
  return `scrypt$${salt}$${digest.toString("hex")}`;
}
