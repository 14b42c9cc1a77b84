import { sql } from "#db/client.ts";
import { OPENS_DELIVERIES_OF_ENDPOINT } from "#db/schema/webhooks.ts";
import { leastIdAt } from "#lib/ids.ts";
import { DAY_MS } from "#lib/time.ts";
import type { MerchantContext } from "../../context.ts";
import { type Delivery, IS_RETRYING } from "../delivery.ts";

/** Deliveries of the last day's events to one endpoint. */
export interface DayOfEndpoint extends Record<Delivery["status"], number> {
  /** The pending ones for which `isRetrying` is true. */
  retrying: number;
  /** Whether there were more than the limit of the count. */
  isCut: boolean;
}

/** The newest deliveries of an endpoint that are counted. */
const MAX_COUNTED = 10_000;

/**
 * Returns the deliveries of the last day's events by status, for each of a merchant's endpoints by its id. Counts at most the newest 10,000 of an
 * endpoint. An endpoint without any is missing.
 */
export async function countLastDay({ merchant }: MerchantContext): Promise<Map<string, DayOfEndpoint>> {
  const query = sql();
  const rows = await query<({ id: string } & Omit<DayOfEndpoint, "isCut">)[]>`
    select e.id, d.* from webhook_endpoints e
    cross join lateral (
      select count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'delivered')::int as delivered,
        count(*) filter (where status = 'failed')::int as failed, count(*) filter (where ${query.unsafe(IS_RETRYING)})::int as retrying
      from (
        select t.status, t.attempt_count, t.last_response_status from webhook_deliveries t
        where t.merchant_id = ${merchant.id} and t.endpoint_id = e.id and t.${query.unsafe(OPENS_DELIVERIES_OF_ENDPOINT)}
          and t.id >= ${leastIdAt("webhookDelivery", Date.now() - DAY_MS)}
        order by t.id desc limit ${MAX_COUNTED}
      ) newest
    ) d
    where e.merchant_id = ${merchant.id} and e.status <> 'deleted'`;
  const counted = rows.map(({ id, ...day }) => [id, day, day.pending + day.delivered + day.failed] as const);
  return new Map(counted.filter(([, , all]) => all > 0).map(([id, day, all]) => [id, { ...day, isCut: all >= MAX_COUNTED }]));
}
