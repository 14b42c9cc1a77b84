import { type AnyColumn, and, eq, exists, type SQL } from "drizzle-orm";
import { db } from "#db/client.ts";
import { alerts } from "#db/schema/alerts.ts";
import type { AlertType } from "./contract.ts";

/** Returns the SQL condition that a merchant has an alert for a cause, for searches for new causes. The index of causes serves it. */
export const isAlerted = (merchantId: AnyColumn, type: AlertType, cause: SQL<string>): SQL =>
  exists(
    db()
      .select({ id: alerts.id })
      .from(alerts)
      .where(and(eq(alerts.merchantId, merchantId), eq(alerts.type, type), eq(alerts.cause, cause))),
  );
