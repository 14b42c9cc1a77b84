import { sql } from "#db/client.ts";
import type { Merchant } from "../context.ts";
import { TEST_EVENT } from "./delivery.ts";
import { toPayload } from "./payload.ts";
import { openSecret } from "./secrets.ts";

export interface LaneKey {
  merchantId: string;
  endpointId: string;
}

/** A delivery whose time has come, with all that an attempt needs. */
export interface DueDelivery extends LaneKey {
  id: string;
  eventId: string;
  isTest: boolean;
  tries: number;
  url: string;
  mode: Merchant["mode"];
  /** Whether its endpoint still takes it. */
  isWanted: boolean;
  /** Whether the endpoint's last attempt failed. */
  endpointFails: boolean;
  secrets: string[];
  body: string;
  /** The database's clock when this was read; ours may be wrong. */
  readAtMs: number;
}

/** Deliveries of an endpoint that are due and not among `started`, in the order in which to start them: up to `limit`. */
export async function findDue({ merchantId, endpointId }: LaneKey, started: string[], limit: number): Promise<DueDelivery[]> {
  const query = sql();
  const ours = query`merchant_id = ${merchantId} and endpoint_id = ${endpointId} and status = 'pending' and id <> all(${started})`;
  const rows = await query<DueRow[]>`
    with due as (
      (select * from webhook_deliveries where ${ours} and attempt_count = 0 order by sequence limit ${limit})
      union all
      (select * from webhook_deliveries where ${ours} and attempt_count > 0 and next_attempt_at <= now() order by next_attempt_at limit ${limit})
    )
    select d.id, d.event_id, d.event_type, d.sequence, d.tries, e.url, e.status as endpoint_status, e.failing_since is not null as fails, m.mode,
      v.data::text as data, coalesce(v.created_at, d.created_at) as occurred_at, (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
      array(
        select s.id || ' ' || s.sealed from webhook_secrets s
        where s.merchant_id = e.merchant_id and s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > now()) order by s.created_at desc, s.id desc
      ) as secrets
    from due d
    join webhook_endpoints e on e.merchant_id = d.merchant_id and e.id = d.endpoint_id
    join merchants m on m.id = d.merchant_id
    left join events v on v.merchant_id = d.merchant_id and v.sequence = d.sequence
    order by d.sequence, d.id limit ${limit}`;
  return rows.map((row) => toDue({ merchantId, endpointId }, row));
}

interface DueRow {
  id: string;
  event_id: string;
  event_type: string;
  sequence: bigint;
  tries: number;
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
  return {
    ...lane,
    id: row.id,
    eventId: row.event_id,
    isTest,
    tries: row.tries,
    url: row.url,
    mode: row.mode,
    isWanted: row.endpoint_status === "enabled" || (isTest && row.endpoint_status === "disabled"),
    endpointFails: row.fails,
    secrets: row.secrets.map((text) => {
      const [id = "", sealed = ""] = text.split(" ");
      return openSecret({ ...lane, id, sealed });
    }),
    body: toPayload({ eventType: row.event_type, sequence: row.sequence, data: row.data, occurredAt: new Date(row.occurred_at) }),
    readAtMs: row.now_ms,
  };
}

/** Endpoints with something due that nobody, or `workerId` itself, attends to. */
export async function findDueLanes(workerId: string): Promise<LaneKey[]> {
  const rows = await sql()<{ merchant_id: string; id: string }[]>`
    select e.merchant_id, e.id from webhook_endpoints e
    where (e.leased_until is null or e.leased_until <= now() or e.leased_by = ${workerId}) and (
      exists (select from webhook_deliveries d where d.merchant_id = e.merchant_id and d.endpoint_id = e.id and d.status = 'pending' and d.attempt_count = 0)
      or exists (select from webhook_deliveries d where d.merchant_id = e.merchant_id and d.endpoint_id = e.id and d.status = 'pending'
        and d.attempt_count > 0 and d.next_attempt_at <= now()))`;
  return rows.map(({ merchant_id, id }) => ({ merchantId: merchant_id, endpointId: id }));
}
