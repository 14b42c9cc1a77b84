import { sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { alerts } from "#db/schema/alerts.ts";
import { newId } from "#lib/ids.ts";
import type { AlertType, OperatorAlertType } from "./contract.ts";

interface NewAlert {
  type: AlertType;
  message: string;
  resourceId: string;
  /** The alert is raised once for a type and a cause, however many callers raise it. Without a cause, each call raises one. */
  cause?: string;
}

/** Stores an alert for a merchant, in the transaction of its cause. Returns whether it is new. */
export async function raiseAlert(tx: Tx | Database, merchantId: string, alert: NewAlert): Promise<boolean> {
  const raised = await tx
    .insert(alerts)
    .values({ merchantId, id: newId("alert"), ...alert })
    .onConflictDoNothing()
    .returning({ id: alerts.id });
  return raised.length > 0;
}

interface OperatorAlert {
  type: OperatorAlertType;
  message: string;
  resourceId: string;
  /** The alert is raised once for a type and a cause. Without one, an equal alert is stored at most once in 24 hours. */
  cause?: string;
}

/** Stores an alert for the operators of a mode, in the transaction of its cause. The platform's merchant owns it. */
export async function raiseOperatorAlert(
  tx: Tx | Database,
  mode: "test" | "live",
  { type, message, resourceId, cause }: OperatorAlert,
): Promise<void> {
  const merchantId = `mer_platform_${mode}`;
  await tx.execute(sql`
    insert into alerts (merchant_id, id, type, message, resource_id, cause, noted_at)
    select ${merchantId}, ${newId("alert")}, ${type}, ${message}, ${resourceId}, ${cause ?? null}, now()
    where ${cause !== undefined} or not exists (
      select from alerts where merchant_id = ${merchantId} and type = ${type} and resource_id = ${resourceId} and message = ${message}
        and created_at > now() - interval '1 day')
    on conflict do nothing`);
}

/** As `raiseOperatorAlert`, for callers without a transaction of their own. */
export const alertOperators = (mode: "test" | "live", alert: OperatorAlert): Promise<void> => raiseOperatorAlert(db(), mode, alert);
