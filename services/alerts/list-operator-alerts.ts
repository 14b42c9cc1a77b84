import { desc, inArray } from "drizzle-orm";
import { db } from "#db/client.ts";
import { alerts } from "#db/schema/webhooks.ts";
import type { OperatorContext } from "../context.ts";
import type { Alert } from "./list-alerts.ts";

/** What operators were told last, of both modes, newest first. */
export const listOperatorAlerts = (_ctx: OperatorContext, limit = 100): Promise<Alert[]> =>
  db()
    .select()
    .from(alerts)
    .where(inArray(alerts.merchantId, ["mer_platform_test", "mer_platform_live"]))
    .orderBy(desc(alerts.id))
    .limit(limit);
