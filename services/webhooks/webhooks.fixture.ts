import { sql, transaction } from "#db/client.ts";
import { appendEvent } from "../events/append-event.ts";
import type { EventType } from "../events/event-types.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import type { Endpoint } from "./endpoint.ts";
import { createEndpoint } from "./endpoints/create-endpoint.ts";

const [MINUTE_S, HOUR_S] = [60, 3_600];

/** The documented waits after the first to the ninth failed attempt, in seconds. Not the product's own table, which is under test. */
export const RETRY_WAITS_S = [5, 5 * MINUTE_S, 30 * MINUTE_S, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_S)];

/** A wait may be longer than the table's by this share. */
export const MAX_JITTER = 0.2;

export const anEndpoint = async ({ ctx }: TestMerchant, url: string, eventTypes: Endpoint["eventTypes"] = null) => {
  const { secret = "", ...endpoint } = await createEndpoint(ctx, { url, eventTypes });
  return { ...endpoint, secret };
};

export const anEvent = ({ merchant }: TestMerchant, data: Record<string, unknown> = {}, type: EventType = "checkout.success") =>
  transaction((tx) => appendEvent(tx, merchant.id, type, data));

export interface DeliveryRow {
  id: string;
  event_id: string;
  sequence: bigint;
  status: "pending" | "delivered" | "failed";
  attempt_count: number;
  tries: number;
  last_response_status: number | null;
  last_error: string | null;
  /** Seconds from now until the next attempt. */
  due_in: number | null;
}

export const deliveriesOf = ({ merchantId, id }: Pick<Endpoint, "merchantId" | "id">) => sql()<DeliveryRow[]>`
  select *, extract(epoch from next_attempt_at - now())::float8 as due_in from webhook_deliveries
  where merchant_id = ${merchantId} and endpoint_id = ${id} order by sequence, id`;

/** Makes the retries of an endpoint due and ends its pause. */
export async function makeRetriesDue({ merchantId, id }: Pick<Endpoint, "merchantId" | "id">): Promise<void> {
  await sql()`update webhook_deliveries set next_attempt_at = now() - interval '1 second' where merchant_id = ${merchantId} and endpoint_id = ${id} and status = 'pending'`;
  await sql()`update webhook_endpoints set paused_until = null where merchant_id = ${merchantId} and id = ${id}`;
}

/** Stores the first events of a merchant with the present time, each delivered to an endpoint that was created a day ago. */
export async function deliverMany({ merchantId, id }: Pick<Endpoint, "merchantId" | "id">, count: number): Promise<void> {
  await sql()`update webhook_endpoints set created_at = now() - interval '1 day' where id = ${id}`;
  await sql()`
    with made as (
      insert into events (merchant_id, sequence, id, type, data, created_at)
      select ${merchantId}, n, 'evt_' || lpad(n::text, 26, '0'), 'checkout.success', '{}'::json, now()
      from generate_series(1, ${count}::int) n
      returning *
    )
    insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence, status, attempt_count, tries, next_attempt_at, delivered_at)
    select merchant_id, delivery_id(${id}, id), ${id}, id, type, sequence, 'delivered', 1, 1, null, now() from made`;
  await sql()`insert into event_counters values (${merchantId}, ${count}) on conflict (merchant_id) do update set last_sequence = excluded.last_sequence`;
}
