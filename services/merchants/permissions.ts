/** The permissions that an API key can have. */
export const ALL_PERMISSIONS = [
  "checkout:read",
  "checkout:write",
  "cards:read",
  "cards:write",
  "cards:reveal",
  "vtu:read",
  "vtu:write",
  "wallet:read",
  "events:read",
  "webhooks:read",
  "webhooks:write",
  "test:write",
] as const;

/** Returns the permissions of a key that is created without a list: all of them, except `cards:reveal` in live mode. */
export const defaultPermissions = (mode: "test" | "live"): readonly Permission[] =>
  ALL_PERMISSIONS.filter((permission) => mode === "test" || permission !== "cards:reveal");

export type Permission = (typeof ALL_PERMISSIONS)[number];
