import type { apiKeys } from "#db/schema/tenants.ts";
import { type Actor, actorOf } from "../context.ts";

type ApiKeyRow = typeof apiKeys.$inferSelect;

/**
 * `active`: works, with or without an end that its maker chose. `rolled`: works beside the pair that replaces it, until its end. `ended`: its
 * end has passed. `revoked`: refused from the moment of revoking.
 */
export type ApiKeyState = "active" | "rolled" | "ended" | "revoked";

/** A pair of keys without its secret. */
export interface ApiKey
  extends Pick<
    ApiKeyRow,
    | "id"
    | "publicKey"
    | "name"
    | "permissions"
    | "allowedIps"
    | "lastUsedAt"
    | "lastUsedAddress"
    | "expiresAt"
    | "replacedBy"
    | "revokedAt"
    | "version"
    | "createdAt"
  > {
  madeBy: Actor;
}

export const apiKeyFromRow = ({ merchantId, secretHash, madeBy, ...key }: ApiKeyRow): ApiKey => ({ ...key, madeBy: actorOf(madeBy) });

export function stateOf({ revokedAt, expiresAt, replacedBy }: Pick<ApiKey, "revokedAt" | "expiresAt" | "replacedBy">): ApiKeyState {
  if (revokedAt) return "revoked";
  if (expiresAt && expiresAt.getTime() <= Date.now()) return "ended";
  return replacedBy ? "rolled" : "active";
}
