import { createHmac } from "node:crypto";
import { sameDigest } from "#lib/secrets.ts";

/** Returns whether `x-paystack-signature` is the hex HMAC-SHA-512 of the raw body with our secret key. */
export function isFromPaystack(secretKey: string, body: string, signature: string | null): boolean {
  if (!/^[0-9a-f]{128}$/.test(signature ?? "")) return false;
  return sameDigest(signature ?? "", createHmac("sha512", secretKey).update(body).digest("hex"));
}
