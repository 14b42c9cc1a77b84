import { sql } from "#db/client.ts";
import { TEST_EVENT } from "./delivery.ts";
import type { LaneKey } from "./find-due.ts";

/** In one statement: so many that a large backlog ends soon, and so few that nothing waits for it. */
const AT_ONCE = 1_000;
/** Longer than a transaction can be open that still saw the endpoint, and writes deliveries to it. */
const CLEARED_AFTER_MINUTES = 2;

/** Fails what waits for an endpoint that is disabled or deleted, a share of it. False when nothing was left. */
export async function giveUpSome({ merchantId, endpointId }: LaneKey): Promise<boolean> {
  const { count } = await sql()`
    update webhook_deliveries d set status = 'failed', next_attempt_at = null, last_error = 'The endpoint was disabled or deleted before this was sent.'
    from (
      select w.id from webhook_deliveries w join webhook_endpoints e on e.merchant_id = w.merchant_id and e.id = w.endpoint_id
      where w.merchant_id = ${merchantId} and w.endpoint_id = ${endpointId} and w.status = 'pending'
        and (e.status = 'deleted' or (e.status = 'disabled' and w.event_type <> ${TEST_EVENT}))
      limit ${AT_ONCE} for update of w
    ) unwanted
    where d.merchant_id = ${merchantId} and d.id = unwanted.id and d.status = 'pending'`;
  return count > 0;
}

/** Removes an endpoint that was deleted a while ago. */
export async function clearAwayDeleted({ merchantId, endpointId }: LaneKey): Promise<void> {
  await sql()`
    delete from webhook_endpoints where merchant_id = ${merchantId} and id = ${endpointId} and status = 'deleted'
      and deleted_at < now() - ${CLEARED_AFTER_MINUTES} * interval '1 minute'`;
}
