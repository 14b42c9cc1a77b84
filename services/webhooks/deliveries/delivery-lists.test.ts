import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { leastIdAt } from "#lib/ids.ts";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { countLastDay, countPending, isRetrying, ListDeliveriesQuery, listDeliveries } from "../index.ts";
import { anEndpoint } from "../webhooks.fixture.ts";

withDatabase();

interface Row {
  endpointId: string;
  hoursAgo: number;
  type?: string;
  status?: "pending" | "delivered" | "failed";
  answer?: number | null;
  attempts?: number;
}

let made = 0;
/** Stores a delivery as the dispatcher leaves it. Returns its id. */
async function aDelivery(
  { merchant }: TestMerchant,
  { endpointId, hoursAgo, type = "checkout.success", status = "delivered", answer = 200, attempts = 1 }: Row,
) {
  const id = leastIdAt("webhookDelivery", Date.now() - hoursAgo * HOUR_MS) + String(made++).padStart(16, "0");
  await sql()`
    insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence, status, attempt_count, next_attempt_at,
      last_response_status, delivered_at)
    values (${merchant.id}, ${id}, ${endpointId}, 'evt', ${type}, 1, ${status}, ${attempts}, ${status === "pending" ? new Date().toISOString() : null}, ${answer},
      ${status === "delivered" ? new Date().toISOString() : null})`;
  return id;
}

describe("the list of deliveries", () => {
  let shop: TestMerchant;
  let ids: string[];
  let [one, two] = ["", ""];
  beforeAll(async () => {
    shop = await aMerchant();
    one = (await anEndpoint(shop, "https://one.example/")).id;
    two = (await anEndpoint(shop, "https://two.example/")).id;
    const rows: Row[] = [
      { endpointId: one, hoursAgo: 10 },
      { endpointId: two, hoursAgo: 9, type: "vtu.failed" },
      { endpointId: one, hoursAgo: 8, status: "failed", answer: 404 },
      { endpointId: one, hoursAgo: 7, status: "pending", answer: 503 },
      { endpointId: two, hoursAgo: 6, status: "failed", answer: null },
      { endpointId: two, hoursAgo: 5, status: "pending", answer: 302 },
    ];
    ids = [];
    for (const row of rows) ids.push(await aDelivery(shop, row));
    const other = await aMerchant();
    await aDelivery(other, { endpointId: one, hoursAgo: 1, status: "failed" });
  });

  const listed = async (query: Record<string, unknown>) =>
    (await listDeliveries(shop.ctx, ListDeliveriesQuery.parse(query))).items.map(({ id }) => ids.indexOf(id));

  test.each([
    [{}, [5, 4, 3, 2, 1, 0]],
    [{ event_type: "vtu.failed" }, [1]],
    [{ answer: "2xx" }, [1, 0]],
    [{ answer: "3xx" }, [5]],
    [{ answer: "4xx" }, [2]],
    [{ answer: "5xx" }, [3]],
    [{ answer: "none" }, [4]],
    [{ status: "failed" }, [4, 2]],
    [{ status: "delivered" }, [1, 0]],
    [{ status: "pending", answer: "5xx" }, [3]],
  ])("with the filter %o has %o", async (filter, places) => {
    expect(await listed(filter)).toEqual(places);
  });

  test("the list is filtered by endpoint, time, status and answer together", async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
    expect(await listed({ endpoint_id: one })).toEqual([3, 2, 0]);
    expect(await listed({ endpoint_id: one, status: "failed" })).toEqual([2]);
    expect(await listed({ endpoint_id: two, answer: "none" })).toEqual([4]);
    expect(await listed({ created_after: ago(8.5), created_before: ago(5.5) })).toEqual([4, 3, 2]);
    expect(await listed({ endpoint_id: one, created_after: ago(8.5), status: "pending" })).toEqual([3]);
  });

  test("reads page by page with a filter too", async () => {
    const first = await listDeliveries(shop.ctx, { limit: 1, endpoint_id: one, answer: "2xx" });
    expect(first.items.map(({ id }) => ids.indexOf(id))).toEqual([0]);
    const failed = await listDeliveries(shop.ctx, { limit: 1, status: "failed" });
    const next = await listDeliveries(shop.ctx, { limit: 1, status: "failed", cursor: failed.nextCursor ?? "" });
    expect(next.items.map(({ id }) => ids.indexOf(id))).toEqual([2]);
  });
});

test("the last day of each endpoint is counted by status; older deliveries, deleted endpoints and other merchants are not", async () => {
  const [shop, other] = [await aMerchant(), await aMerchant()];
  const [busy, quiet, gone] = [
    await anEndpoint(shop, "https://a.example/"),
    await anEndpoint(shop, "https://b.example/"),
    await anEndpoint(shop, "https://c.example/"),
  ];
  for (const status of ["delivered", "delivered", "failed", "pending"] as const)
    await aDelivery(shop, { endpointId: busy.id, hoursAgo: 1, status });
  await aDelivery(shop, { endpointId: busy.id, hoursAgo: DAY_MS / HOUR_MS + 0.1 });
  await aDelivery(shop, { endpointId: quiet.id, hoursAgo: 25 });
  await aDelivery(shop, { endpointId: gone.id, hoursAgo: 1 });
  await sql()`update webhook_endpoints set status = 'deleted', deleted_at = now() where id = ${gone.id}`;
  await aDelivery(other, { endpointId: busy.id, hoursAgo: 1 });
  expect(await countLastDay(shop.ctx)).toEqual(new Map([[busy.id, { delivered: 2, failed: 1, pending: 1, retrying: 0, isCut: false }]]));
});

test("at most the newest 10,000 deliveries of an endpoint are counted, and it says so", async () => {
  const shop = await aMerchant();
  const { id } = await anEndpoint(shop, "https://busy.example/");
  await sql()`
    insert into webhook_deliveries (merchant_id, id, endpoint_id, event_id, event_type, sequence, status, next_attempt_at, delivered_at)
    select ${shop.merchant.id}, ${leastIdAt("webhookDelivery", Date.now() - HOUR_MS)} || lpad(n::text, 16, '0'), ${id}, 'evt', 'checkout.success', n, 'delivered', null, now()
    from generate_series(1, 10050) n`;
  expect((await countLastDay(shop.ctx)).get(id)).toEqual({ delivered: 10_000, failed: 0, pending: 0, retrying: 0, isCut: true });
});

test("a pending delivery counts as retrying only if its last attempt failed", async () => {
  const shop = await aMerchant();
  const { id: endpointId } = await anEndpoint(shop, "https://busy.example/");
  const pending = { endpointId, hoursAgo: 1, status: "pending" } as const;
  const failing = [await aDelivery(shop, { ...pending, answer: 500 }), await aDelivery(shop, { ...pending, answer: null })];
  await aDelivery(shop, { ...pending, answer: null, attempts: 0 });
  await aDelivery(shop, { ...pending, answer: 204 });
  await aDelivery(shop, { endpointId, hoursAgo: 1, status: "failed", answer: 500 });
  await aDelivery(shop, { ...pending, answer: 500, type: "webhook.test" });
  expect(await countPending(shop.ctx, endpointId)).toEqual({ pending: 4, retrying: 2 });
  expect((await countLastDay(shop.ctx)).get(endpointId)).toMatchObject({ pending: 5, retrying: 3 });
  const { items } = await listDeliveries(shop.ctx, ListDeliveriesQuery.parse({ event_type: "checkout.success" }));
  expect(items.filter(isRetrying).map(({ id }) => id)).toEqual(failing.toReversed());
});
