import { type SQL, sql } from "drizzle-orm";
import type { DisabledReason } from "../endpoint.ts";

/** Returns the columns of an endpoint of a merchant that is disabled now. It then misses waiting deliveries and all later events. */
export const disabledFor = (
  merchantId: string,
  reason: DisabledReason,
): { disabledReason: DisabledReason; disabledAt: SQL; missedFrom: SQL } => ({
  disabledReason: reason,
  disabledAt: sql`now()`,
  missedFrom: sql`least(webhook_endpoints.missed_from, (
    select min(d.created_at) from webhook_deliveries d
    where d.merchant_id = ${merchantId} and d.endpoint_id = webhook_endpoints.id and d.status = 'pending'), now())`,
});
