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
  "payouts:write",
  "refunds:write",
  "events:read",
  "webhooks:read",
  "webhooks:write",
  "test:write",
] as const;

export type Permission = (typeof ALL_PERMISSIONS)[number];

/** Permissions to take money out. A key has them only where somebody names them, in both modes. */
export const TAKES_MONEY_OUT: readonly Permission[] = ["payouts:write", "refunds:write"];
