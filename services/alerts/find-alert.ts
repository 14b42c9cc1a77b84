import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { alerts } from "#db/schema/alerts.ts";
import type { MerchantContext } from "../context.ts";
import { type Alert, alertFromRow } from "./alert.ts";
import type { AlertType } from "./contract.ts";

/** Returns an alert of the merchant by its id. */
export async function findAlert({ merchant }: MerchantContext, id: string): Promise<Alert | undefined> {
  const [row] = await db()
    .select()
    .from(alerts)
    .where(and(eq(alerts.merchantId, merchant.id), eq(alerts.id, id)));
  return row && alertFromRow<AlertType>(row);
}
