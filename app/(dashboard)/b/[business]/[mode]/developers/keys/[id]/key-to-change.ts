import type { Permission } from "#services/permissions.ts";

/** A key as its forms begin. */
export interface KeyToChange {
  id: string;
  name: string;
  permissions: readonly Permission[];
  allowedIps: readonly string[];
  version: number;
  lastUsedFrom: string | null;
}
