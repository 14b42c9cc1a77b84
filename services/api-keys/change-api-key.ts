import { type Tx, transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { noteInAudit, requireVersion } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";
import { requireUnrestrictedInLive } from "../members/index.ts";
import { verb } from "../verb.ts";
import { requireAddresses } from "./addresses.ts";
import { type ApiKey, apiKeyFromRow } from "./api-key.ts";
import { MANAGES_KEYS, requireFactorFor } from "./manages-keys.ts";
import { requireMayGive } from "./may-give.ts";
import { permissionNamed } from "./permission-names.ts";
import { isKey, lockApiKey, requireWorking } from "./rows.ts";

export interface KeyChanges {
  /** The version of the key that the caller has read. */
  version: number;
  name?: string | undefined;
  permissions?: readonly string[] | undefined;
  /** An empty list allows every address. */
  allowedIps?: readonly string[] | undefined;
}

const ACTION = "api_key.changed";

/**
 * Changes the given fields of a key pair: permissions, addresses or name. Throws RESOURCE_NOT_FOUND; VALIDATION_ERROR for a key
 * that no longer works, an unknown permission, or text that is no address; VERSION_CONFLICT if it was changed since that version; and
 * PERMISSION_DENIED for more than the member's role may give, and in live mode while the member is restricted.
 */
export const changeApiKey = verb(MANAGES_KEYS, async (ctx: TenantContext, id: string, changes: KeyChanges): Promise<ApiKey> => {
  await requireUnrestrictedInLive(ctx);
  return change(ctx, id, changes);
});

/** Renames a key pair. Needs no proof, because a name gives no access. Throws the errors of `changeApiKey`. */
export const renameApiKey = verb(
  { permission: "keys:write" },
  async (ctx: TenantContext, id: string, { version, name }: Pick<KeyChanges, "version" | "name">): Promise<ApiKey> =>
    change(ctx, id, { version, name }),
);

async function change(ctx: TenantContext, id: string, { version, name, permissions, allowedIps }: KeyChanges): Promise<ApiKey> {
  if (allowedIps) requireAddresses(allowedIps);
  const named = permissions?.map(permissionNamed);
  return transaction(async (tx) => {
    const key = await lockApiKey(tx, ctx, id);
    requireWorking(key);
    const wanted = { name: name ?? key.name, permissions: named ?? key.permissions, allowedIps: allowedIps ?? key.allowedIps };
    const after = changedFields(key, wanted);
    const about = { merchantId: ctx.merchant.id, subject: id, actions: [ACTION, "api_key.rolled"] };
    if (Object.keys(after).length === 0) return key;
    await requireVersion(tx, { ...about, stored: key.version, read: version });
    await requireMayGive(tx, ctx, after.permissions ? wanted.permissions.map(permissionNamed) : []);
    if (after.allowed_ips) requireFactorFor(ctx, wanted.permissions.map(permissionNamed));
    return store(tx, ctx, key, { ...wanted, after });
  });
}

type Wanted = Pick<ApiKey, "name"> & { permissions: readonly string[]; allowedIps: readonly string[] };
type Fields = Partial<Record<"name", string> & Record<"permissions" | "allowed_ips", string[]>>;

const fieldsOf = ({ name, permissions, allowedIps }: Wanted) => ({ name, permissions: [...permissions], allowed_ips: [...allowedIps] });

/** Returns the fields that differ, with their new values. The order of a list means nothing. */
function changedFields(key: Wanted, wanted: Wanted): Fields {
  const before = fieldsOf(key);
  const entries = Object.entries(fieldsOf(wanted)).filter(([field, value]) => plain(value) !== plain(before[field as keyof typeof before]));
  return Object.fromEntries(entries);
}

const plain = (value: string | string[]) => JSON.stringify(typeof value === "string" ? value : value.toSorted());

async function store(tx: Tx, ctx: TenantContext, key: ApiKey, { after, ...wanted }: Wanted & { after: Fields }): Promise<ApiKey> {
  const { name, permissions, allowedIps } = wanted;
  const changes = { name, permissions: [...permissions], allowedIps: [...allowedIps], version: key.version + 1 };
  const [row] = await tx.update(apiKeys).set(changes).where(isKey(ctx, key.id)).returning();
  if (!row) throw new Error(`the locked key ${key.id} was not found`);
  const old = fieldsOf(key);
  const before = Object.fromEntries(Object.keys(after).map((field) => [field, old[field as keyof typeof old]]));
  await noteInAudit(tx, ctx, { merchantId: ctx.merchant.id, action: ACTION, subject: key.id, before, after });
  return apiKeyFromRow(row, key);
}
