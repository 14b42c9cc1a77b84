import { setTimeout as wait } from "node:timers/promises";
import { isAboutData, sql } from "#db/client.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { disableFailingEndpoint, disableGoneEndpoint } from "./disable-endpoint.ts";
import type { DueDelivery } from "./find-due.ts";
import { noteSettled, noteUnsettled } from "./park-delivery.ts";
import { nextWaitMs } from "./retry-table.ts";

const GONE = 410;
/** A failing endpoint is paused for at least this time between two attempts of any deliveries. */
const MIN_PAUSE_MS = SECOND_MS;
/** One delivery may wait longer, as `Retry-After` asks. Others are attempted once a minute, because the endpoint may be back. */
const MAX_PAUSE_MS = MINUTE_MS;
/** Failures with a longer time between them count as two outages, because the endpoint may have worked in between without being called. */
const MAX_GAP_IN_OUTAGE_HOURS = 48;

/**
 * Stores an attempt and updates its delivery and its endpoint. Returns whether the delivery succeeded. Throws if the attempt could not be
 * stored: it is made again once, and then the delivery is parked.
 */
export async function settleAttempt(due: DueDelivery, attempt: AttemptResult): Promise<boolean> {
  const { responseStatus, error } = attempt;
  const isDelivered = error === null && responseStatus !== null && responseStatus >= 200 && responseStatus < 300;
  const waitMs = isDelivered || due.isTest ? undefined : nextWaitMs(due.tries + 1, attempt.retryAfterMs);
  const wasFailing = await withRetries(() =>
    storeAttempt(due, attempt, { state: isDelivered ? "delivered" : waitMs === undefined ? "failed" : "pending", waitMs: waitMs ?? 0 }),
  ).catch(async (error) => {
    // A database that does not answer or has no room is not a problem of this delivery, so the delivery is not parked.
    if (isAboutData(error)) await noteUnsettled(due, isDelivered);
    throw error;
  });
  noteSettled(due);
  if (!due.isTest) await withRetries(() => updateHealth(due, attempt, { isDelivered, wasFailing }));
  return isDelivered;
}

const MAX_TRIES = 6;

/** Retries a write with backoff, so that an answer is not lost while the database restarts. Throws the error of the sixth attempt. */
async function withRetries<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries >= MAX_TRIES) throw error;
      await wait(100 * 2 ** tries);
    }
  }
}

async function updateHealth(
  due: DueDelivery,
  attempt: AttemptResult,
  { isDelivered, wasFailing }: { isDelivered: boolean; wasFailing: boolean },
) {
  if (isDelivered) {
    if (wasFailing) await markHealthy(due);
  } else if (attempt.responseStatus === GONE) await disableGoneEndpoint(due);
  else {
    await markFailing(due, attempt.retryAfterMs);
    if (wasFailing) await disableFailingEndpoint(due);
  }
}

/** Returns in words why a status other than 2xx is a failure, or null if the status is 2xx or no answer came. */
function refusalOf(status: number | null): string | null {
  if (status === null || (status >= 200 && status < 300)) return null;
  return status >= 300 && status < 400 ? `It answered ${status}, a redirect, which is not followed.` : `It answered ${status}.`;
}

interface AttemptVerdict {
  state: "delivered" | "failed" | "pending";
  waitMs: number;
}

/**
 * Stores an attempt and settles its delivery. Returns whether the endpoint was failing before. A second call with the same attempt changes
 * nothing, so that a retry is safe. An attempt that began before its merchant asked for the delivery again is stored and does not change
 * the status. A delivery that was answered 2xx is delivered, even if it has failed in the meantime because its endpoint was disabled.
 */
async function storeAttempt(due: DueDelivery, attempt: AttemptResult, { state, waitMs }: AttemptVerdict): Promise<boolean> {
  const [row] = await sql()<{ was_failing: boolean }[]>`
    with settled as (
      update webhook_deliveries set attempt_count = attempt_count + 1, last_response_status = ${attempt.responseStatus},
        last_error = ${attempt.error ?? refusalOf(attempt.responseStatus)},
        tries = case when resends = ${due.resends} then tries + 1 else tries end,
        status = case
          when resends <> ${due.resends} then status
          when ${state} = 'delivered' then 'delivered'
          when status = 'pending' then ${state}::delivery_status
          else status end,
        next_attempt_at = case
          when resends <> ${due.resends} then next_attempt_at
          when status = 'pending' and ${state} = 'pending' then (select now()) + ${waitMs} * interval '1 ms' end,
        delivered_at = case when resends = ${due.resends} and ${state} = 'delivered' then coalesce(delivered_at, (select now())) else delivered_at end
      where merchant_id = ${due.merchantId} and id = ${due.id} and not exists (
        select from webhook_attempts a where a.merchant_id = ${due.merchantId} and a.delivery_id = ${due.id}
          and a.started_at = ${attempt.startedAt.toISOString()}::text::timestamptz)
      returning attempt_count
    ), kept as (
      insert into webhook_attempts (merchant_id, delivery_id, number, url, request_headers, started_at, duration_ms, response_status, response_body, error)
      select ${due.merchantId}, ${due.id}, attempt_count, ${due.url}, ${JSON.stringify(attempt.requestHeaders)}::text::jsonb,
        ${attempt.startedAt.toISOString()}::text::timestamptz, ${attempt.durationMs}::int, ${attempt.responseStatus}::int, ${attempt.responseBody}, ${attempt.error} from settled
    )
    select failing_since is not null as was_failing from webhook_endpoints where merchant_id = ${due.merchantId} and id = ${due.endpointId}`;
  return row?.was_failing ?? false;
}

/** Matches the endpoint only while it has the address that was called: a failure says nothing about a new address. */
const calledEndpoint = ({ merchantId, endpointId, url }: DueDelivery) =>
  sql()`merchant_id = ${merchantId} and id = ${endpointId} and url = ${url} and status = 'enabled'`;

async function markFailing(due: DueDelivery, retryAfterMs: number): Promise<void> {
  const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, retryAfterMs));
  const isSameOutage = sql()`last_failed_at > (select now() - ${MAX_GAP_IN_OUTAGE_HOURS} * interval '1 hour')`;
  const occurredAt = sql()`${due.occurredAt.toISOString()}::text::timestamptz`;
  await sql()`
    update webhook_endpoints set last_failed_at = now(), paused_until = greatest(paused_until, now() + ${pauseMs} * interval '1 ms'),
      failing_since = case when ${isSameOutage} then coalesce(failing_since, (select now())) else (select now()) end,
      missed_from = case when ${isSameOutage} then least(missed_from, ${occurredAt}) else ${occurredAt} end
    where ${calledEndpoint(due)}`;
}

/**
 * Changes nothing if the endpoint has failed since the delivery was read, because the success may be older than that failure. Both times are
 * the database's own: the start of the attempt is our estimate of its clock, and may be ahead of it.
 */
async function markHealthy(due: DueDelivery): Promise<void> {
  await sql()`
    update webhook_endpoints set failing_since = null, last_failed_at = null, missed_from = null, paused_until = null
    where ${calledEndpoint(due)} and last_failed_at <= to_timestamp(${due.readAtMs}::float8 / 1000)`;
}
