import { setTimeout as wait } from "node:timers/promises";
import { sql } from "#db/client.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { AttemptResult } from "./attempt-delivery.ts";
import { disableFailingEndpoint, disableGoneEndpoint } from "./disable-endpoint.ts";
import type { DueDelivery } from "./find-due.ts";
import { nextWaitMs } from "./retry-table.ts";

const GONE = 410;
/** Between two attempts at an endpoint that fails, whichever deliveries they are of. */
const MIN_PAUSE_MS = SECOND_MS;
/** An endpoint may ask for more time for one delivery than it gets for all: it is tried once a minute, for it may be back. */
const MAX_PAUSE_MS = MINUTE_MS;
/** Failures further apart than this are not one time of failure: the endpoint may have been well between them, unasked. */
const ONE_OUTAGE_HOURS = 48;

/** Keeps an attempt and what follows from it for its delivery and its endpoint. Returns whether it was delivered. */
export async function settleAttempt(due: DueDelivery, attempt: AttemptResult): Promise<boolean> {
  const { responseStatus, error } = attempt;
  const isDelivered = error === null && responseStatus !== null && responseStatus >= 200 && responseStatus < 300;
  const waitMs = isDelivered || due.isTest ? undefined : nextWaitMs(due.tries + 1, attempt.retryAfterMs);
  const fails = await insist(() =>
    keep(due, attempt, { state: isDelivered ? "delivered" : waitMs === undefined ? "failed" : "pending", waitMs: waitMs ?? 0 }),
  );
  if (!due.isTest) await insist(() => noteHealth(due, attempt, { isDelivered, fails }));
  return isDelivered;
}

const MAX_TRIES = 6;

/** What an endpoint has answered is not thrown away because the database is restarting. */
async function insist<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries >= MAX_TRIES) throw error;
      await wait(100 * 2 ** tries);
    }
  }
}

async function noteHealth(due: DueDelivery, attempt: AttemptResult, { isDelivered, fails }: { isDelivered: boolean; fails: boolean }) {
  if (isDelivered) {
    if (fails) await markHealthy(due, attempt);
  } else if (attempt.responseStatus === GONE) await disableGoneEndpoint(due);
  else {
    await markFailing(due, attempt.retryAfterMs);
    if (fails) await disableFailingEndpoint(due);
  }
}

/** In words, what an answer that is no 2xx came to. */
function refusalOf(status: number | null): string | null {
  if (status === null || (status >= 200 && status < 300)) return null;
  return status >= 300 && status < 400 ? `It answered ${status}, a redirect, which is not followed.` : `It answered ${status}.`;
}

interface AttemptVerdict {
  state: "delivered" | "failed" | "pending";
  waitMs: number;
}

/**
 * Returns whether the endpoint was failing before. Once for each attempt, however often it is tried. An attempt that began before its merchant asked for the delivery again is kept and
 * decides nothing; what was delivered by whomever, even while the endpoint was being disabled, is delivered.
 */
async function keep(due: DueDelivery, attempt: AttemptResult, { state, waitMs }: AttemptVerdict): Promise<boolean> {
  const [row] = await sql()<{ fails: boolean }[]>`
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
          when status = 'pending' and ${state} = 'pending' then now() + ${waitMs} * interval '1 ms' end,
        delivered_at = case when resends = ${due.resends} and ${state} = 'delivered' then coalesce(delivered_at, now()) else delivered_at end
      where merchant_id = ${due.merchantId} and id = ${due.id} and not exists (
        select from webhook_attempts a where a.merchant_id = ${due.merchantId} and a.delivery_id = ${due.id}
          and a.started_at = ${attempt.startedAt.toISOString()}::text::timestamptz)
      returning attempt_count
    ), kept as (
      insert into webhook_attempts (merchant_id, delivery_id, number, url, request_headers, started_at, duration_ms, response_status, response_body, error)
      select ${due.merchantId}, ${due.id}, attempt_count, ${due.url}, ${JSON.stringify(attempt.requestHeaders)}::text::jsonb,
        ${attempt.startedAt.toISOString()}::text::timestamptz, ${attempt.durationMs}::int, ${attempt.responseStatus}::int, ${attempt.responseBody}, ${attempt.error} from settled
    )
    select failing_since is not null as fails from webhook_endpoints where merchant_id = ${due.merchantId} and id = ${due.endpointId}`;
  return row?.fails ?? false;
}

/** Of the address that was called: another one, set meanwhile, has not failed. */
const calledEndpoint = ({ merchantId, endpointId, url }: DueDelivery) =>
  sql()`merchant_id = ${merchantId} and id = ${endpointId} and url = ${url} and status = 'enabled'`;

async function markFailing(due: DueDelivery, retryAfterMs: number): Promise<void> {
  const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, retryAfterMs));
  await sql()`
    update webhook_endpoints set last_failed_at = now(), paused_until = greatest(paused_until, now() + ${pauseMs} * interval '1 ms'),
      failing_since = case when last_failed_at > now() - ${ONE_OUTAGE_HOURS} * interval '1 hour' then coalesce(failing_since, now()) else now() end
    where ${calledEndpoint(due)}`;
}

/** A success that began before the last failure came says nothing of what is now. */
async function markHealthy(due: DueDelivery, { startedAt }: AttemptResult): Promise<void> {
  await sql()`
    update webhook_endpoints set failing_since = null, last_failed_at = null, paused_until = null
    where ${calledEndpoint(due)} and last_failed_at <= ${startedAt.toISOString()}::text::timestamptz`;
}
