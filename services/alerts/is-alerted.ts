import { type AnyColumn, and, eq, exists, inArray, type SQL } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { alerts } from "#db/schema/alerts.ts";
import type { AlertType, OperatorAlertType } from "./contract.ts";

/** Returns the SQL condition that a merchant has an alert for a cause, for searches for new causes. The index of causes serves it. */
export const isAlerted = (merchantId: AnyColumn, type: AlertType, cause: SQL<string>): SQL =>
  exists(
    db()
      .select({ id: alerts.id })
      .from(alerts)
      .where(and(eq(alerts.merchantId, merchantId), eq(alerts.type, type), eq(alerts.cause, cause))),
  );

/** Returns whether the operators of a mode were alerted about a thing, in one of these ways. */
export async function wereOperatorsAlerted(
  tx: Tx,
  mode: "test" | "live",
  { types, resourceId }: { types: OperatorAlertType[]; resourceId: string },
): Promise<boolean> {
  const found = await tx
    .select({ id: alerts.id })
    .from(alerts)
    .where(and(eq(alerts.merchantId, `mer_platform_${mode}`), inArray(alerts.type, types), eq(alerts.resourceId, resourceId)))
    .limit(1);
  return found.length > 0;
}
