import type { z } from "zod";
import { isoOrNull } from "#lib/time.ts";
import { type ApiKey, stateOf } from "./api-key.ts";
import type { ApiKeyObject } from "./contract.ts";

/** Presents a key, with its secret if the caller has it. */
export function presentApiKey(key: ApiKey & { secretKey?: string | null }): z.output<typeof ApiKeyObject> {
  return {
    id: key.id,
    public_key: key.publicKey,
    ...(key.secretKey !== undefined && { secret_key: key.secretKey }),
    name: key.name,
    state: stateOf(key),
    permissions: key.permissions,
    allowed_ips: key.allowedIps,
    version: key.version,
    made_by: key.madeBy,
    replaced_by: key.replacedBy,
    last_used_at: isoOrNull(key.lastUsedAt),
    last_used_address: key.lastUsedAddress,
    expires_at: isoOrNull(key.expiresAt),
    revoked_at: isoOrNull(key.revokedAt),
    created_at: key.createdAt.toISOString(),
  };
}
