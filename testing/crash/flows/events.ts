import type { IncomingHttpHeaders } from "node:http";
import { Webhook } from "standardwebhooks";
import type { Flow, MerchantInPlay, Violation, World } from "../flow.ts";

/** An endpoint of a merchant, and what its server has received. */
interface Subscriber {
  merchantId: string;
  endpointId: string;
  secret: string;
  /** By `webhook-id`, as it was last told. */
  told: Map<string, unknown>;
  forged: Violation[];
}

export const subscribers: Subscriber[] = [];

/** Verified as it comes: a signature is good for five minutes. */
export function receive({ secret, endpointId, told, forged }: Subscriber, headers: IncomingHttpHeaders, body: string): void {
  const id = String(headers["webhook-id"]);
  try {
    told.set(id, new Webhook(secret).verify(body, headers as Record<string, string>));
  } catch (error) {
    forged.push(`${endpointId} received ${id} with a signature that is not ours: ${error}`);
  }
}

/** Reads the feed to its end, as a merchant that wants to prove that it missed nothing. */
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

async function passTime({ sql }: World): Promise<void> {
  await sql`update webhook_endpoints set leased_until = now(), held_until = null where leased_until > now() or held_until > now()`;
  await sql`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`;
}

async function isSettled({ sql }: World): Promise<boolean> {
  const [row] = await sql<{ waiting: bigint }[]>`select count(*) as waiting from webhook_deliveries where status = 'pending'`;
  return row?.waiting === 0n;
}

async function check({ merchants }: World): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const merchant of merchants) {
    const feed = await feedOf(merchant);
    for (const [i, { sequence }] of feed.entries())
      if (sequence !== i + 1) violations.push(`${merchant.merchantId}: event ${i + 1} of the feed has sequence ${sequence}`);
    for (const subscriber of subscribers.filter(({ merchantId }) => merchantId === merchant.merchantId))
      violations.push(...checkReceived(subscriber, feed));
  }
  return violations;
}

function checkReceived({ endpointId, told, forged }: Subscriber, feed: { id: string }[]): Violation[] {
  const violations: Violation[] = [...forged];
  for (const { id, ...event } of feed) {
    if (!told.has(id)) violations.push(`${endpointId} was never told of ${id}`);
    else if (JSON.stringify(told.get(id)) !== JSON.stringify(event)) violations.push(`${endpointId} was told something else of ${id}`);
  }
  const known = new Set(feed.map(({ id }) => id));
  for (const id of told.keys()) if (!known.has(id)) violations.push(`${endpointId} was told of ${id}, which is not in the feed`);
  return violations;
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
  isSettled,
  check,
};
