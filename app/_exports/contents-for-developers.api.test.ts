import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { leastIdAt } from "#lib/ids.ts";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import { ListEventsQuery, listNewestEvents } from "#services/events/index.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, byOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { ListRequestsQuery, listRequests } from "#services/requests/index.ts";
import { deleteEndpoint, type Endpoint, ListDeliveriesQuery, listDeliveries } from "#services/webhooks/index.ts";
import { anEndpoint, anEvent, deliveriesOf } from "#services/webhooks/webhooks.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { download, exportPath, rowsOf } from "./export-client.fixture.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let member: TestMember;

beforeAll(async () => {
  shop = await aMerchant();
  member = await aMember(shop.merchant.businessId, "developer");
});

type Filter = Readonly<Record<string, string>>;

const exported = (list: string, query: Filter = {}) => download(app, member, exportPath(list, { merchant: shop.merchant.id, ...query }));
const column = async (heading: string, list: string, query: Filter = {}) =>
  rowsOf(await exported(list, query)).map((row) => row[heading] ?? "");
const hourAgo = () => new Date(Date.now() - HOUR_MS).toISOString();

test.each(["events", "webhook-deliveries", "requests"])(
  "a viewer and a support agent, who may not open the list of %s, get no file",
  async (list) => {
    for (const role of ["viewer", "support"] as const) {
      const other = await aMember(shop.merchant.businessId, role);
      for (const merchant of [shop.merchant.id, shop.liveMerchantId])
        expect((await download(app, other, exportPath(list, { merchant }))).status).toBe(403);
    }
  },
);

describe("events", () => {
  beforeAll(async () => {
    await anEvent(shop, { reference: "REF1", description: "a value of the customer's", status: "success" });
    await anEvent(shop, { reference: "=1+1", customer_email: "payer@customer.example" });
    await anEvent(shop, { id: "card_1", token: "1234-5678-9012" }, "card.issued");
    await anEvent(await aMerchant(), { reference: "REF of another" });
  });

  test.each<Filter>([
    {},
    { type: "card.issued" },
    { type: "vtu.failed" },
    { resource: "REF1" },
    { created_after: hourAgo() },
    { created_before: hourAgo() },
  ])("the file of events with the filter %o has the rows of the list, in its order", async (query) => {
    const { items } = await listNewestEvents(shop.ctx, ListEventsQuery.parse({ limit: "100", ...query }));
    expect(await column("Event", "events", query)).toEqual(items.map(({ id }) => id));
  });

  test("a row of an event has the reference of its thing as text, and no other value of its data", async () => {
    const file = await exported("events");
    expect(rowsOf(file).map(({ Type, About, Sequence }) => [Type, About, Sequence])).toEqual([
      ["card.issued", "card_1", "3"],
      ["checkout.success", "'=1+1", "2"],
      ["checkout.success", "REF1", "1"],
    ]);
    for (const value of ["a value of the customer's", "payer@customer.example", "1234-5678-9012"]) expect(file.text).not.toContain(value);
  });
});

describe("deliveries", () => {
  let failing: Endpoint & { secret: string };
  let deleted: Endpoint;
  beforeAll(async () => {
    failing = await anEndpoint(shop, "https://shop.example/hooks/p4th-secret?token=qu3ry-secret");
    deleted = await anEndpoint(shop, "https://old.example/oja");
    for (const type of ["checkout.success", "card.funded", "vtu.failed"] as const) await anEvent(shop, { reference: "REF9" }, type);
    const [answered, silent] = await deliveriesOf(failing);
    await sql()`
      update webhook_deliveries set status = 'failed', next_attempt_at = null, attempt_count = 3, last_response_status = 503, last_error = 'a body of the answer'
      where id = ${answered?.id ?? ""}`;
    await sql()`update webhook_deliveries set attempt_count = 1, last_error = 'a timeout' where id = ${silent?.id ?? ""}`;
    await deleteEndpoint(shop.ctx, deleted.id);
  });

  test.each<Filter>([
    {},
    { status: "failed" },
    { status: "pending" },
    { status: "delivered" },
    { answer: "5xx" },
    { answer: "none" },
    { event_type: "vtu.failed" },
    { created_after: hourAgo() },
    { created_before: hourAgo() },
  ])("the file of deliveries with the filter %o has the rows of the list, in its order", async (query) => {
    const { items } = await listDeliveries(shop.ctx, ListDeliveriesQuery.parse({ limit: "100", ...query }));
    expect(await column("Delivery", "webhook-deliveries", query)).toEqual(items.map(({ id }) => id));
  });

  test("the file of one endpoint has only that endpoint's deliveries", async () => {
    const own = (await deliveriesOf(failing)).map(({ id }) => id);
    expect((await column("Delivery", "webhook-deliveries", { endpoint_id: failing.id })).toSorted()).toEqual(own.toSorted());
  });

  test("have the host of their endpoint and the last answer: no path, secret, error or body", async () => {
    const file = await exported("webhook-deliveries");
    const rows = rowsOf(file);
    const factsOf = (endpoint: Endpoint) =>
      rows
        .filter((row) => row["Endpoint id"] === endpoint.id)
        .map((row) => [row.Type, row.Endpoint, row["Last answer"], row.Tries])
        .toSorted();
    expect(factsOf(failing)).toEqual([
      ["card.funded", "shop.example", "No answer", "1"],
      ["checkout.success", "shop.example", "503", "3"],
      ["vtu.failed", "shop.example", "", "0"],
    ]);
    expect(factsOf(deleted).map(([, host]) => host)).toEqual(Array.from({ length: 3 }, () => "A deleted endpoint"));
    for (const hidden of ["p4th-secret", "qu3ry-secret", failing.secret, "a body of the answer", "a timeout", "REF9"])
      expect(file.text).not.toContain(hidden);
  });
});

describe("requests", () => {
  /** One more than a search looks at in one answer, so that the oldest is beyond it. */
  const MANY = 5_001;
  beforeAll(async () => {
    const start = Date.now() - 2 * DAY_MS;
    await sql()`
      insert into request_log (merchant_id, id, caller, api_key_id, user_id, endpoint, method, path, status, error_code, duration_ms, client_address,
        query_fields, body_fields, problems, created_at)
      select ${shop.merchant.id}, ${leastIdAt("request", start)} || lpad(n::text, 16, '0'), (case when n % 2 = 0 then 'member' else 'key' end)::request_caller,
        case when n % 2 = 1 then ${shop.key.id} end, case when n % 2 = 0 then 'usr_of_requests' end, 'getWallet', case n when 1 then 'DELETE' else 'GET' end,
        case n when 2 then '=HYPERLINK("x")' when 3 then '/api/v1/checkout' else '/api/v1/wallet' end, case n % 1000 when 3 then 422 when 4 then 500 else 200 end,
        case n % 1000 when 3 then 'VALIDATION_ERROR' when 4 then 'INTERNAL_ERROR' end, 12, '203.0.113.77', '{query_name}', '{body_name}',
        '[{"param": "body_name", "message": "an advice"}]', ${new Date(start).toISOString()}::timestamptz + n * interval '1 millisecond'
      from generate_series(1, ${MANY}) n`;
  }, 60_000);

  test.each<Filter>([
    { status: "failed" },
    { status: "5xx" },
    { error_code: "VALIDATION_ERROR" },
    { method: "DELETE" },
    { path: "/api/v1/checkout" },
    { method: "DELETE", caller: "member" },
    { created_before: new Date(Date.now() - 3 * DAY_MS).toISOString() },
  ])(
    "the file of requests with the filter %o has all requests of the list, also beyond the rows that one answer examines",
    async (filter) => {
      // The requests of this file itself may be written to the log between the two reads.
      const query = { created_before: hourAgo(), ...filter };
      const wanted: string[] = [];
      for (let cursor: string | undefined | null; cursor !== null; ) {
        const page = await listRequests(
          byOperator(shop.ctx),
          ListRequestsQuery.parse({ limit: "100", ...query, ...(cursor && { cursor }) }),
        );
        wanted.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(await column("Request", "requests", query)).toEqual(wanted);
      if (filter.method === "DELETE" && !filter.caller) expect(wanted).toHaveLength(1);
    },
  );

  test("the file of requests of a key or of members has all of them, newest first, over several pages", async () => {
    for (const [query, count] of [
      [{ key_id: shop.key.id }, 2_501],
      [{ caller: "member", path: "/api/v1/wallet" }, 2_499],
    ] as const) {
      const ids = await column("Request", "requests", query);
      expect(ids).toHaveLength(count);
      expect(ids).toEqual([...new Set(ids)].toSorted().reverse());
    }
  });

  test("have no address, no name of a field, no key and no person, and a path that is a formula is text", async () => {
    const file = await exported("requests", { created_before: new Date(Date.now() - DAY_MS).toISOString() });
    const rows = rowsOf(file);
    expect(rows).toHaveLength(MANY);
    expect(rows.at(-2)).toMatchObject({ Path: `'=HYPERLINK("x")`, Method: "GET", Status: "200", Error: "", Milliseconds: "12" });
    expect(rows.at(-3)).toMatchObject({ Path: "/api/v1/checkout", Status: "422", Error: "VALIDATION_ERROR" });
    for (const hidden of ["203.0.113.77", "query_name", "body_name", "an advice", shop.key.id, "usr_of_requests", shop.key.secretKey])
      expect(file.text).not.toContain(hidden);
  });
});

test("the numbers of the audit log are whole numbers", async () => {
  const owner = await aMember(shop.merchant.businessId, "owner");
  const file = await download(app, owner, exportPath("audit", { merchant: shop.merchant.id }));
  const numbers = rowsOf(file).map((row) => row.Number);
  expect(numbers).toEqual(numbers.map((_, place) => String(numbers.length - place)));
  expect(numbers.length).toBeGreaterThan(0);
});
