import { createHmac } from "node:crypto";
import { sameDigest } from "#lib/secrets.ts";

/** Returns the hex HMAC-SHA-512 of a raw body with our secret key. */
export const signatureOf = (secretKey: string, body: string): string => createHmac("sha512", secretKey).update(body).digest("hex");

/** Returns whether a signature is the hex HMAC-SHA-512 of a raw body with our secret key, as Paystack and Monnify sign their notices. */
export function signsBody(signature: string | null, secretKey: string, body: string): boolean {
  if (!/^[0-9a-f]{128}$/.test(signature ?? "")) return false;
  return sameDigest(signature ?? "", signatureOf(secretKey, body));
}
