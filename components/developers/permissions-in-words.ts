import type { Permission } from "#services/api-keys/contract.ts";
import { PERMISSION_WORDS } from "./words.ts";

/** The permission that reads whole card numbers. */
const REVEAL = "cards:reveal";

/** Returns what a key may do, in a few words. `all` are the permissions that a key of its mode can have. */
export function permissionsInWords(permissions: readonly string[], all: readonly Permission[]): string {
  const missing = all.filter((permission) => !permissions.includes(permission));
  if (missing.length === 0) return "Everything";
  if (missing.length === 1 && missing[0] === REVEAL) return "Everything but see card numbers";
  const [first = "", ...others] = permissions;
  if (permissions.length > 1 && permissions.every((permission) => permission.endsWith(":read")))
    return `Only see, ${permissions.length} areas`;
  return others.length === 0 ? wordsOf(first) : `${wordsOf(first)} and ${others.length} more`;
}

/** Returns the words of a permission, or the name of one that a newer version of this service has made. */
export const wordsOf = (permission: string): string =>
  Object.entries(PERMISSION_WORDS).find(([known]) => known === permission)?.[1] ?? permission;
