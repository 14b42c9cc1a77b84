import { createHmac } from "node:crypto";
import { sameDigest } from "./secrets.ts";

const TOLERANCE_MS = 5 * 60_000;

/** Returns `t=<unix seconds>,v1=<hex HMAC-SHA-256 of "t.body">`. The time limits how long a copied message can be replayed. */
export function sign(secret: string, body: string, atMs = Date.now()): string {
  const seconds = Math.floor(atMs / 1000);
  return `t=${seconds},v1=${digest(secret, `${seconds}.${body}`)}`;
}

/** Returns whether a signature is valid for the body and at most five minutes off. */
export function isSigned(secret: string, body: string, signature: string | null): boolean {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? "");
  if (!match?.[1] || !match[2]) return false;
  if (Math.abs(Date.now() - Number(match[1]) * 1000) > TOLERANCE_MS) return false;
  return sameDigest(match[2], digest(secret, `${match[1]}.${body}`));
}

const digest = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");
