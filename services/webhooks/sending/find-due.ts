import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { CannotOpen } from "#lib/sealed.ts";
import type { Merchant } from "../../context.ts";
import { TEST_EVENT } from "../delivery.ts";
import { openSecret } from "../endpoints/secrets.ts";
import { toPayload } from "./payload.ts";

export interface LaneKey {
  merchantId: string;
  endpointId: string;
}

/** A delivery that is due, with everything that an attempt needs. */
export interface DueDelivery extends LaneKey {
  id: string;
  eventId: string;
  isTest: boolean;
  isFirstAttempt: boolean;
  tries: number;
  resends: number;
  url: string;
  mode: Merchant["mode"];
  /** False when its endpoint is disabled or deleted. A disabled endpoint still gets test events. */
  isWanted: boolean;
  /** Whether the endpoint has failed since its last success. */
  endpointIsFailing: boolean;
  /** The signing secrets, newest first, without those that cannot be opened. */
  secrets: string[];
  body: string;
  /** The time of the event. */
  occurredAt: Date;
  /** The database's time when this was read, before any attempt, because our own clock may be wrong. Milliseconds with a fraction. */
  readAtMs: number;
}

interface Seeker {
  workerId: string;
  /** The ids of deliveries whose attempts run now. */
  started: string[];
  preferRetry: boolean;
}

/**
 * Returns the next due delivery of an endpoint that is not among `started`. First attempts come in the order of their sequence. If both a
 * first attempt and a retry are due, `preferRetry` decides, so that neither waits for the whole backlog of the other. The query checks the
 * lease itself, so that a worker whose lease was superseded starts nothing.
 */
export async function findNextDue(
  { merchantId, endpointId }: LaneKey,
  { workerId, started, preferRetry }: Seeker,
): Promise<DueDelivery | "nothing" | "no lease"> {
  const query = sql();
  const ours = query`merchant_id = ${merchantId} and endpoint_id = ${endpointId} and status = 'pending' and id <> all(${started})`;
  const [row] = await query<(DueRow | { id: null })[]>`
    with due as (
      (select * from webhook_deliveries where ${ours} and attempt_count = 0 order by sequence limit 1)
      union all
      (select * from webhook_deliveries where ${ours} and attempt_count > 0 and next_attempt_at <= now() order by next_attempt_at, sequence limit 1)
    )
    select d.id, d.event_id, d.event_type, d.sequence, d.attempt_count, d.tries, d.resends, e.url, e.status as endpoint_status,
      e.failing_since is not null as fails, m.mode, v.data::text as data, coalesce(v.created_at, d.created_at) as occurred_at,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
      array(
        select s.id || ' ' || s.sealed from webhook_secrets s
        where s.merchant_id = ${merchantId} and s.endpoint_id = ${endpointId} and (s.expires_at is null or s.expires_at > now()) order by s.created_at desc, s.id desc
      ) as secrets
    from webhook_endpoints e
    join merchants m on m.id = ${merchantId}
    left join due d on e.paused_until is null or e.paused_until <= now() or e.status <> 'enabled' or d.event_type = ${TEST_EVENT}
    left join events v on v.merchant_id = ${merchantId} and v.sequence = d.sequence
    where e.merchant_id = ${merchantId} and e.id = ${endpointId} and e.leased_by = ${workerId} and e.leased_until > now()
    order by d.event_type = ${TEST_EVENT} desc, (d.attempt_count > 0) = ${preferRetry} desc limit 1`;
  if (!row) return "no lease";
  return row.id === null ? "nothing" : toDue({ merchantId, endpointId }, row);
}

interface DueRow {
  id: string;
  event_id: string;
  event_type: string;
  sequence: bigint;
  attempt_count: number;
  tries: number;
  resends: number;
  url: string;
  endpoint_status: "enabled" | "disabled" | "deleted";
  fails: boolean;
  mode: Merchant["mode"];
  data: string | null;
  occurred_at: string;
  now_ms: number;
  secrets: string[];
}

function toDue(lane: LaneKey, row: DueRow): DueDelivery {
  const isTest = row.event_type === TEST_EVENT;
  const occurredAt = new Date(row.occurred_at);
  return {
    ...lane,
    id: row.id,
    eventId: row.event_id,
    isTest,
    isFirstAttempt: row.attempt_count === 0,
    tries: row.tries,
    resends: row.resends,
    url: row.url,
    mode: row.mode,
    isWanted: row.endpoint_status === "enabled" || (isTest && row.endpoint_status === "disabled"),
    endpointIsFailing: row.fails,
    secrets: row.secrets.flatMap((text) => openOrSkip(lane, text)),
    body: toPayload({ eventType: row.event_type, sequence: row.sequence, data: row.data, occurredAt }),
    occurredAt,
    readAtMs: row.now_ms,
  };
}

/** Returns the opened secret, or none if it cannot be opened: the other secrets still sign. */
function openOrSkip(lane: LaneKey, text: string): string[] {
  const [id = "", sealed = ""] = text.split(" ");
  try {
    return [openSecret({ ...lane, id, sealed })];
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    log().error({ endpointId: lane.endpointId, secretId: id, err: error }, "a signing secret cannot be read");
    return [];
  }
}

/** Returns the endpoints that have a delivery due or a cleanup to do, without those that another worker has leased. */
export async function findDueLanes(workerId: string): Promise<(LaneKey & { status: DueRow["endpoint_status"] })[]> {
  const rows = await sql()<{ merchant_id: string; id: string; status: DueRow["endpoint_status"] }[]>`
    select /* of all merchants */ e.merchant_id, e.id, e.status from webhook_endpoints e
    where (e.leased_until is null or e.leased_until <= now() or e.leased_by = ${workerId})
      and (e.paused_until is null or e.paused_until <= now() or e.status <> 'enabled')
      and (e.status = 'deleted'
        or (e.status = 'disabled' and exists (
          select from webhook_deliveries d where d.merchant_id = e.merchant_id and d.endpoint_id = e.id and d.status = 'pending'))
        or exists (select from webhook_deliveries d where d.merchant_id = e.merchant_id and d.endpoint_id = e.id and d.status = 'pending' and d.attempt_count = 0)
        or exists (select from webhook_deliveries d where d.merchant_id = e.merchant_id and d.endpoint_id = e.id and d.status = 'pending'
          and d.attempt_count > 0 and d.next_attempt_at <= now()))`;
  return rows.map(({ merchant_id, id, status }) => ({ merchantId: merchant_id, endpointId: id, status }));
}
