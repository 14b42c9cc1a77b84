import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { alerts, OPENS_STANDALONE_ALERTS } from "#db/schema/alerts.ts";
import type { MerchantContext } from "../context.ts";
import { type Alert, alertFromRow } from "./alert.ts";
import type { AlertType } from "./contract.ts";

/**
 * Returns the latest alerts of the given types that tell of something that no other list has, newest first. Returned transfers, debts and
 * failing endpoints have lists of their own, which always show their present state.
 */
export async function listStandaloneAlerts({ merchant }: MerchantContext, types: AlertType[], limit: number): Promise<Alert[]> {
  const rows = await db()
    .select()
    .from(alerts)
    .where(and(eq(alerts.merchantId, merchant.id), sql.raw(OPENS_STANDALONE_ALERTS), inArray(alerts.type, types)))
    .orderBy(desc(alerts.id))
    .limit(limit);
  return rows.map(alertFromRow<AlertType>);
}
