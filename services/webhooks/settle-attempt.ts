import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { disableFailingEndpoint, disableGoneEndpoint } from "./disable-endpoint.ts";
import type { DueDelivery } from "./find-due.ts";
import { nextWaitMs } from "./retry-table.ts";

const GONE = 410;

/** Keeps an attempt and what follows from it for its delivery and its endpoint. */
export async function settleAttempt(due: DueDelivery, attempt: AttemptResult): Promise<void> {
  const isDelivered = attempt.responseStatus !== null && attempt.responseStatus >= 200 && attempt.responseStatus < 300;
  const waitMs = isDelivered || due.isTest ? undefined : nextWaitMs(due.tries + 1, attempt.retryAfterMs);
  const state = isDelivered ? "delivered" : waitMs === undefined ? "failed" : "pending";
  const fails = await keep(due, attempt, { state, waitMs: waitMs ?? 0 });
  if (due.isTest) return;
  if (isDelivered) {
    if (fails) await markHealthy(due);
  } else if (attempt.responseStatus === GONE) await disableGoneEndpoint(due);
  else if (!fails) await markFailing(due);
  else await disableFailingEndpoint(due);
  log().debug({ deliveryId: due.id, endpointId: due.endpointId, status: attempt.responseStatus, error: attempt.error }, "delivery attempt");
}

interface Verdict {
  state: "delivered" | "failed" | "pending";
  waitMs: number;
}

/** Answers whether the endpoint was failing before. A delivery that another worker has delivered meanwhile stays delivered. */
async function keep(due: DueDelivery, attempt: AttemptResult, { state, waitMs }: Verdict): Promise<boolean> {
  const [row] = await sql()<{ fails: boolean }[]>`
    with settled as (
      update webhook_deliveries set attempt_count = attempt_count + 1, last_response_status = ${attempt.responseStatus}, last_error = ${attempt.error},
        tries = tries + 1,
        status = case when status = 'pending' then ${state}::delivery_status else status end,
        next_attempt_at = case when status = 'pending' and ${state} = 'pending' then now() + ${waitMs} * interval '1 ms' end,
        delivered_at = case when ${state} = 'delivered' then coalesce(delivered_at, now()) else delivered_at end
      where merchant_id = ${due.merchantId} and id = ${due.id}
      returning attempt_count
    ), kept as (
      insert into webhook_attempts (merchant_id, delivery_id, number, url, request_headers, started_at, duration_ms, response_status, response_body, error)
      select ${due.merchantId}, ${due.id}, attempt_count, ${due.url}, ${JSON.stringify(attempt.requestHeaders)}::text::jsonb,
        ${attempt.startedAt.toISOString()}::text::timestamptz, ${attempt.durationMs}::int, ${attempt.responseStatus}::int, ${attempt.responseBody}, ${attempt.error} from settled
    )
    select failing_since is not null as fails from webhook_endpoints where merchant_id = ${due.merchantId} and id = ${due.endpointId}`;
  return row?.fails ?? false;
}

async function markFailing({ merchantId, endpointId }: DueDelivery): Promise<void> {
  await sql()`
    update webhook_endpoints set failing_since = now() where merchant_id = ${merchantId} and id = ${endpointId} and failing_since is null and status = 'enabled'`;
}

async function markHealthy({ merchantId, endpointId }: DueDelivery): Promise<void> {
  await sql()`update webhook_endpoints set failing_since = null where merchant_id = ${merchantId} and id = ${endpointId}`;
}

/** What an endpoint that is disabled or deleted does not take any more. */
export async function giveUp({ merchantId, id }: DueDelivery): Promise<void> {
  await sql()`
    update webhook_deliveries set status = 'failed', next_attempt_at = null where merchant_id = ${merchantId} and id = ${id} and status = 'pending'`;
}
