import { transaction } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { HOUR_MS } from "#lib/time.ts";
import { noteInAudit } from "../audit/index.ts";
import type { TenantContext } from "../context.ts";
import { requireUnrestrictedInLive } from "../members/index.ts";
import { verb } from "../verb.ts";
import { type ApiKey, apiKeyFromRow } from "./api-key.ts";
import { MAX_OVERLAP_HOURS } from "./contract.ts";
import { insertApiKey, type NewApiKey, requireRoom, resumeApiKey } from "./create-api-key.ts";
import { MANAGES_KEYS } from "./manages-keys.ts";
import { isKey, lockApiKey, requireWorking } from "./rows.ts";

/** The most keys of a merchant that work, including rolled ones. */
const MAX_KEYS_WITH_ROLLED = 200;

interface Rolled {
  key: NewApiKey;
  /** The key that it replaces, with its end. */
  old: ApiKey;
}

/**
 * Creates a new pair with the name, permissions, addresses and end of the old one. The old pair works for another `overlapHours`, 0 to 720, or
 * until its own end if that comes first. Throws RESOURCE_NOT_FOUND; VALIDATION_ERROR for any other overlap, and for a key that was rolled
 * before or no longer works; PERMISSION_DENIED where the member's role may not give the permissions of the old pair, and in live mode while the member is restricted.
 */
export const rollApiKey = verb(MANAGES_KEYS, async (ctx: TenantContext, id: string, overlapHours: number): Promise<Rolled> => {
  if (!(overlapHours >= 0 && overlapHours <= MAX_OVERLAP_HOURS)) {
    throw invalid("overlap_hours", `The overlap is 0 to ${MAX_OVERLAP_HOURS} hours.`);
  }
  await requireUnrestrictedInLive(ctx);
  return transaction(async (tx) => {
    const old = await lockApiKey(tx, ctx, id);
    const resumed = await resumeApiKey(tx, ctx);
    if (resumed) return { key: resumed, old };
    // A rolled pair keeps its end, because a second roll must neither revive it nor prolong it.
    if (old.replacedBy) throw invalid("id", "This key was rolled already. Roll the key that replaces it.");
    requireWorking(old);
    await requireRoom(tx, ctx, MAX_KEYS_WITH_ROLLED);
    const { name, permissions, allowedIps, expiresAt } = old;
    const key = await insertApiKey(tx, ctx, { name, permissions, allowedIps, expiresAt });
    const overlapEndsAt = new Date(Date.now() + overlapHours * HOUR_MS);
    const endsAt = expiresAt && expiresAt < overlapEndsAt ? expiresAt : overlapEndsAt;
    const [row] = await tx
      .update(apiKeys)
      .set({ expiresAt: endsAt, replacedBy: key.id, version: old.version + 1 })
      .where(isKey(ctx, id))
      .returning();
    if (!row) throw new Error(`the locked key ${id} was not found`);
    const before = { expires_at: expiresAt?.toISOString() ?? null };
    const after = { expires_at: endsAt.toISOString(), replaced_by: key.id };
    await noteInAudit(tx, ctx, { merchantId: ctx.merchant.id, action: "api_key.rolled", subject: id, before, after });
    return { key, old: apiKeyFromRow(row, old) };
  });
});
