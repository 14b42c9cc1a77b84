import type { apiKeys, apiKeyUses } from "#db/schema/tenants.ts";
import { type Actor, actorOf } from "../context.ts";

type ApiKeyRow = typeof apiKeys.$inferSelect;

/**
 * `active`: works, with or without an end that its maker chose. `rolled`: works beside the pair that replaces it, until its end. `ended`: its
 * end has passed. `paused`: refused until a member resumes it. `revoked`: refused from the moment of revoking.
 */
export type ApiKeyState = "active" | "rolled" | "ended" | "paused" | "revoked";

/** A pair of keys without its secret. */
export interface ApiKey
  extends Pick<
      ApiKeyRow,
      | "id"
      | "publicKey"
      | "name"
      | "permissions"
      | "allowedIps"
      | "expiresAt"
      | "replacedBy"
      | "revokedAt"
      | "pausedAt"
      | "version"
      | "createdAt"
    >,
    LastUse {
  madeBy: Actor;
}

/** When a key was last used, and from which address. Both are null for a key that never was. */
export type LastUse = { [Field in "lastUsedAt" | "lastUsedAddress"]: (typeof apiKeyUses.$inferSelect)[Field] | null };

const NEVER: LastUse = { lastUsedAt: null, lastUsedAddress: null };

export function apiKeyFromRow({ merchantId, secretHash, madeBy, ...key }: ApiKeyRow, use: LastUse = NEVER): ApiKey {
  const { lastUsedAt, lastUsedAddress } = use;
  return { ...key, lastUsedAt, lastUsedAddress, madeBy: actorOf(madeBy) };
}

export function stateOf({
  revokedAt,
  expiresAt,
  pausedAt,
  replacedBy,
}: Pick<ApiKey, "revokedAt" | "expiresAt" | "pausedAt" | "replacedBy">): ApiKeyState {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt.getTime() <= Date.now()) return "ended";
  if (pausedAt) return "paused";
  return replacedBy ? "rolled" : "active";
}
