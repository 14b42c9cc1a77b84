import { desc, inArray } from "drizzle-orm";
import { db } from "#db/client.ts";
import { alerts } from "#db/schema/alerts.ts";
import type { OperatorContext } from "../context.ts";
import { type Alert, alertFromRow } from "./alert.ts";
import type { OperatorAlertType } from "./contract.ts";

/** Returns the latest alerts of operators in both modes, newest first. */
export async function listOperatorAlerts(_ctx: OperatorContext, limit = 100): Promise<Alert<OperatorAlertType>[]> {
  const rows = await db()
    .select()
    .from(alerts)
    .where(inArray(alerts.merchantId, ["mer_platform_test", "mer_platform_live"]))
    .orderBy(desc(alerts.id))
    .limit(limit);
  return rows.map(alertFromRow<OperatorAlertType>);
}
