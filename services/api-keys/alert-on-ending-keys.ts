import { and, asc, isNull, not, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { apiKeys } from "#db/schema/tenants.ts";
import { lagosDateTime } from "#lib/time.ts";
import { isAlerted, raiseAlert } from "../alerts/index.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";

const MAX_ROWS = 200;
/** Replaces quotation marks in a name, so that it cannot end the quotation around it. */
const QUOTATION_MARKS = /["“”]/g;

/**
 * Alerts merchants to keys that end within a week, once for each end. Skips keys that were rolled, because the overlap was chosen, and keys
 * that were made for eight days or less. Returns the number of alerts, at most 200.
 */
export const alertOnEndingKeys = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const { merchantId, id, name, expiresAt, revokedAt, replacedBy, createdAt } = apiKeys;
  const cause = sql<string>`${id} || ':' || extract(epoch from ${expiresAt})`;
  const ending = await db()
    .select({ merchantId, id, name, expiresAt, cause })
    .from(apiKeys)
    .where(
      and(
        isNull(revokedAt),
        isNull(replacedBy),
        sql`${expiresAt} > now()`,
        sql`${expiresAt} < now() + interval '7 days'`,
        // The maker of a key for a few days expects its end.
        sql`${expiresAt} - ${createdAt} > interval '8 days'`,
        not(isAlerted(merchantId, "api_key.ending", cause)),
      ),
    )
    .orderBy(asc(expiresAt))
    .limit(MAX_ROWS);
  for (const key of ending) {
    await raiseAlert(db(), key.merchantId, {
      ...{ type: "api_key.ending", resourceId: key.id, cause: key.cause },
      message: `The key “${key.name.replaceAll(QUOTATION_MARKS, "")}” stops working on ${lagosDateTime(key.expiresAt ?? new Date())}. Roll it, and put the new pair into your servers before.`,
    });
  }
  return ending.length;
});
