import { sql } from "#db/client.ts";
import { TEST_EVENT } from "../delivery.ts";
import type { LaneKey } from "./find-due.ts";

/** Rows of one statement: enough to finish a large backlog soon, and few enough that no statement takes long. */
const MAX_PER_STATEMENT = 1_000;
/** After this time, transactions that saw the endpoint before its deletion, and may write deliveries to it, have ended. */
const REMOVED_AFTER_MINUTES = 2;

/** Fails up to 1,000 pending deliveries of a disabled or deleted endpoint. Returns false when none was left. */
export async function failPendingBatch({ merchantId, endpointId }: LaneKey): Promise<boolean> {
  const { count } = await sql()`
    update webhook_deliveries d set status = 'failed', next_attempt_at = null, last_error = 'The endpoint was disabled or deleted before this was sent.'
    from (
      select w.id from webhook_deliveries w join webhook_endpoints e on e.merchant_id = ${merchantId} and e.id = w.endpoint_id
      where w.merchant_id = ${merchantId} and w.endpoint_id = ${endpointId} and w.status = 'pending'
        and (e.status = 'deleted' or (e.status = 'disabled' and w.event_type <> ${TEST_EVENT}))
      limit ${MAX_PER_STATEMENT} for update of w
    ) unwanted
    where d.merchant_id = ${merchantId} and d.id = unwanted.id and d.status = 'pending'`;
  return count > 0;
}

/** Removes the row of an endpoint that was deleted at least two minutes ago. */
export async function removeDeletedEndpoint({ merchantId, endpointId }: LaneKey): Promise<void> {
  await sql()`
    delete from webhook_endpoints where merchant_id = ${merchantId} and id = ${endpointId} and status = 'deleted'
      and deleted_at < now() - ${REMOVED_AFTER_MINUTES} * interval '1 minute'`;
}
