/** What an API key may be allowed to do. */
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

/** What a key gets that is made without a word about it. To reveal card numbers in live mode has to be asked for. */
export const defaultPermissions = (mode: "test" | "live"): readonly Permission[] =>
  ALL_PERMISSIONS.filter((permission) => mode === "test" || permission !== "cards:reveal");

export type Permission = (typeof ALL_PERMISSIONS)[number];
