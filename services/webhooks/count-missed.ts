import { sql } from "#db/client.ts";
import type { MerchantContext } from "../context.ts";
import { firstSequenceSince } from "../events/index.ts";
import type { Endpoint } from "./endpoint.ts";

/** More are not counted. `resendFailedSince` sends as many at once. */
export const MAX_MISSED = 10_000;

/**
 * Returns how many events since a time an endpoint wants and has not got, at most `MAX_MISSED`: those that `resendFailedSince` would send.
 */
export async function countMissed({ merchant }: MerchantContext, { id, eventTypes, createdAt }: Endpoint, since: Date): Promise<number> {
  const from = since > createdAt ? since : createdAt;
  const first = await firstSequenceSince(merchant.id, from);
  const query = sql();
  const wanted = eventTypes === null ? query`` : query`and e.type = any(${eventTypes})`;
  const [row] = await query<{ missed: number }[]>`
    select count(*)::int as missed from (
      select 1 from events e
      left join webhook_deliveries known on known.merchant_id = e.merchant_id and known.id = delivery_id(${id}, e.id)
      where e.merchant_id = ${merchant.id} and e.sequence >= ${String(first)} and e.created_at >= ${from.toISOString()}
        and (known.status = 'failed' or (known.id is null ${wanted}))
      limit ${MAX_MISSED}
    ) missed`;
  return row?.missed ?? 0;
}
