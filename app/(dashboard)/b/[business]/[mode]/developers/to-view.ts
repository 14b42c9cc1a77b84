import type { KeyRow } from "#components/developers/keys-list.tsx";
import { permissionsInWords } from "#components/developers/permissions-in-words.ts";
import type { listApiKeys } from "#services/api-keys/index.ts";
import { stateOf } from "#services/api-keys/index.ts";
import type { MemberContext } from "#services/context.ts";
import { mayRole, rolesWith } from "#services/members/index.ts";
import { ALL_PERMISSIONS, type Permission } from "#services/permissions.ts";

export type ApiKey = Awaited<ReturnType<typeof listApiKeys>>["items"][number];

/** Returns the permissions that mean something in a mode. */
export const permissionsOfMode = (mode: "test" | "live"): Permission[] =>
  ALL_PERMISSIONS.filter((permission) => rolesWith(permission, mode).length > 0);

/** Returns the permissions that the reader may give to a key. */
export const givable = ({ role, merchant: { mode } }: MemberContext): Permission[] =>
  permissionsOfMode(mode).filter((permission) => mayRole(role, permission, mode));

/** Returns the row of a key. `path` is that of the developers' pages. */
export const toKeyRow = (key: ApiKey, mode: "test" | "live", path: string): KeyRow => ({
  ...{ id: key.id, name: key.name, publicKey: key.publicKey, lastUsedAt: key.lastUsedAt },
  href: `${path}/keys/${key.id}`,
  state: stateOf(key),
  may: permissionsInWords(key.permissions, permissionsOfMode(mode)),
});
