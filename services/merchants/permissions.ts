/** What an API key may be allowed to do. */
export const ALL_PERMISSIONS = [
  "checkout:read",
  "checkout:write",
  "wallet:read",
  "events:read",
  "webhooks:read",
  "webhooks:write",
  "test:write",
] as const;

export type Permission = (typeof ALL_PERMISSIONS)[number];
