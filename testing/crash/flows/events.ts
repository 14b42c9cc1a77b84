import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import type { Flow, MerchantInPlay, Violation, Waiting, World } from "../flow.ts";

/** An endpoint of a merchant, and the deliveries that its server has received. */
interface Subscriber {
  merchantId: string;
  endpointId: string;
  secret: string;
  /** Deliveries that it answered with 200, by `webhook-id`. */
  accepted: Map<string, unknown>;
  /** The `webhook-id` of each request in order of arrival, accepted or not. */
  arrivals: string[];
  forged: Violation[];
}

export const subscribers: Subscriber[] = [];

interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
  isAccepted: boolean;
}

/** Verifies a delivery on arrival, because a signature is valid for five minutes. */
export function receive({ secret, endpointId, accepted, forged }: Subscriber, { headers, body, isAccepted }: Delivery): void {
  const id = String(headers["webhook-id"]);
  try {
    const content = new Webhook(secret).verify(body, headers as Record<string, string>);
    if (isAccepted) accepted.set(id, content);
  } catch (error) {
    forged.push(`${endpointId} received ${id} with a signature that is not ours: ${error}`);
  }
}

/** Reads the whole feed, as a merchant does to check that it missed no event. */
async function feedOf({ client }: MerchantInPlay): Promise<{ id: string; sequence: number; data: unknown }[]> {
  const feed = [];
  for (let after = 0; ; ) {
    const { data, pagination } = await client.mustGet(`/api/v1/events?limit=100&after=${after}`);
    feed.push(...data);
    if (!pagination.has_more) return feed;
    after = Number(pagination.next_cursor);
  }
}

async function act(_world: World, merchant: MerchantInPlay): Promise<void> {
  await merchant.client.get("/api/v1/events?limit=100");
}

/** Makes retries due. Does not end leases: the campaign also tests that a lease ends and another worker takes it over. */
async function passTime({ sql }: World): Promise<void> {
  await sql`update webhook_endpoints set paused_until = null where paused_until is not null`;
  await sql`update webhook_deliveries set next_attempt_at = now() - interval '1 second' where status = 'pending' and attempt_count > 0`;
}

async function waiting({ sql }: World): Promise<Waiting> {
  const [counts = {}] = await sql<Waiting[]>`select count(*) as "deliveries" from webhook_deliveries where status = 'pending'`;
  return counts;
}

async function check({ merchants, sql }: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const merchant of merchants) {
    const feed = await feedOf(merchant);
    for (const [i, { sequence }] of feed.entries())
      if (sequence !== i + 1) violations.push(`${merchant.merchantId}: event ${i + 1} of the feed has sequence ${sequence}`);
    for (const subscriber of subscribers.filter(({ merchantId }) => merchantId === merchant.merchantId))
      violations.push(...checkReceived(subscriber, feed), ...checkOrder(subscriber, feed));
  }
  const odd = await sql<{ merchant_id: string; sequence: bigint; deliveries: bigint; delivered: bigint }[]>`
    select e.merchant_id, e.sequence, count(d.id) as deliveries, count(d.id) filter (where d.status = 'delivered') as delivered
    from events e left join webhook_deliveries d on d.merchant_id = e.merchant_id and d.event_id = e.id
    where exists (select from webhook_endpoints w where w.merchant_id = e.merchant_id)
    group by e.merchant_id, e.sequence having count(d.id) <> 1 or count(d.id) filter (where d.status = 'delivered') <> 1`;
  for (const { merchant_id, sequence, deliveries, delivered } of odd)
    violations.push(`event ${sequence} of ${merchant_id} has ${deliveries} deliveries, ${delivered} delivered`);
  return violations;
}

function checkReceived({ endpointId, accepted, forged }: Subscriber, feed: { id: string }[]): Violation[] {
  const violations: Violation[] = [...forged];
  for (const { id, ...event } of feed) {
    if (!accepted.has(id)) violations.push(`${endpointId} has never taken ${id}`);
    else if (JSON.stringify(accepted.get(id)) !== JSON.stringify(event)) violations.push(`${endpointId} was told something else of ${id}`);
  }
  const known = new Set(feed.map(({ id }) => id));
  for (const id of accepted.keys()) if (!known.has(id)) violations.push(`${endpointId} was told of ${id}, which is not in the feed`);
  return violations;
}

/** Attempts to one endpoint that may be in flight at once, and so may arrive in another order. */
const MAX_IN_FLIGHT = 8;

function checkOrder({ endpointId, arrivals }: Subscriber, feed: { id: string; sequence: number }[]): Violation[] {
  const sequenceOf = new Map(feed.map(({ id, sequence }) => [id, sequence]));
  const firsts = [...new Set(arrivals)].map((id) => sequenceOf.get(id) ?? 0);
  const tooEarly = firsts.filter((sequence, i) => sequence > i + 1 + MAX_IN_FLIGHT);
  return tooEarly.map((sequence) => `${endpointId} was first told of event ${sequence} long before those that came before it`);
}

export const events: Flow = {
  name: "events",
  points: [
    { role: "worker", kind: "delivery", label: "webhook" },
    { role: "worker", kind: "commit", label: "webhook_deliveries" },
    { role: "worker", kind: "commit", label: "webhook_endpoints" },
  ],
  act,
  passTime,
  waiting,
  check,
};
