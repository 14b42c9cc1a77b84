import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
/** Standard Webhooks asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

export const newWebhookSecret = () => `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`;

/**
 * Returns the `webhook-signature` header of Standard Webhooks 1.0 (standardwebhooks.com): a `v1,` signature for each live secret, so that a
 * receiver can verify with any of them. `timestamp` is in seconds.
 */
export function signatureOf(secrets: readonly string[], { id, timestamp, body }: { id: string; timestamp: number; body: string }): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
    })
    .join(" ");
}
