import { and, desc, eq, lt } from "drizzle-orm";
import { db } from "#db/client.ts";
import { alerts } from "#db/schema/webhooks.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import { type Alert, alertFromRow } from "./alert.ts";
import type { AlertType } from "./contract.ts";

/** Returns one page of the merchant's alerts, newest first. Throws VALIDATION_ERROR for a bad cursor. */
export async function listAlerts(
  { merchant }: MerchantContext,
  request: { limit: number; cursor?: string | undefined },
): Promise<Page<Alert>> {
  const owner = `${merchant.id}/alerts`;
  const before = request.cursor ? decodeCursor(owner, request.cursor) : undefined;
  const rows = await db()
    .select()
    .from(alerts)
    .where(and(eq(alerts.merchantId, merchant.id), before ? lt(alerts.id, before) : undefined))
    .orderBy(desc(alerts.id))
    .limit(request.limit + 1);
  return toPage(owner, rows.map(alertFromRow<AlertType>), request.limit, ({ id }) => id);
}
