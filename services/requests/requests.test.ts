import { beforeAll, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { leastIdAt, newId } from "#lib/ids.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { aMerchantWithAllRights, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { getRequest, groupFailures, ListRequestsQuery, listRequests, logRequest } from "./index.ts";

withDatabase();

type Entry = Parameters<typeof logRequest>[0];

const entryOf = ({ merchant, key }: TestMerchant, changes: Partial<Entry> & { at?: number } = {}): Entry => {
  const { at = Date.now(), ...rest } = changes;
  return {
    ...{ merchantId: merchant.id, id: newId("request", at), apiKeyId: key.id, userId: null, endpoint: "getWallet", method: "GET" },
    ...{ path: "/api/v1/wallet", status: 200, errorCode: null, durationMs: 3, clientAddress: "203.0.113.1" },
    ...{ queryFields: [], bodyFields: [], problems: [], createdAt: new Date(at) },
    ...rest,
  };
};

/** Logs requests, the given ones from the oldest to the newest, and waits until they are stored. */
async function log(shop: TestMerchant, entries: (Partial<Entry> & { at?: number })[]): Promise<Entry[]> {
  const all = entries.map((changes, i) => entryOf(shop, { at: Date.now() - HOUR_MS + i * 1_000, ...changes }));
  for (const entry of all) logRequest(entry);
  await until(async () => (await sql()`select from request_log where id in ${sql()(all.map(({ id }) => id))}`).length === all.length);
  return all;
}

const listed = async ({ ctx }: TestMerchant, query: Record<string, unknown> = {}) =>
  (await listRequests(ctx, ListRequestsQuery.parse(query))).items.map(({ id }) => id);

describe("a list", () => {
  let shop: TestMerchant;
  let all: Entry[];
  const refused = {
    status: 422,
    errorCode: "VALIDATION_ERROR",
    method: "POST",
    path: "/api/v1/checkout/create",
    endpoint: "createPaymentLink",
  };
  beforeAll(async () => {
    shop = await aMerchantWithAllRights();
    all = await log(shop, [
      {},
      refused,
      { status: 500, errorCode: "INTERNAL_ERROR" },
      { apiKeyId: null, userId: "usr_ada", path: "/api/v1/virtual-cards" },
      { ...refused, errorCode: "INSUFFICIENT_BALANCE", status: 402 },
      { method: "DELETE", status: 499 },
    ]);
    await log(await aMerchantWithAllRights(), [refused, {}]);
  });
  const ids = (...places: number[]) => places.map((place) => all[place]?.id);

  test("has the merchant's own requests, newest first, page by page and back", async () => {
    expect(await listed(shop)).toEqual(ids(5, 4, 3, 2, 1, 0));
    const first = await listRequests(shop.ctx, { limit: 4 });
    expect(first.items.map(({ id }) => id)).toEqual(ids(5, 4, 3, 2));
    const second = await listRequests(shop.ctx, { limit: 4, cursor: first.nextCursor ?? "" });
    expect(second.items.map(({ id }) => id)).toEqual(ids(1, 0));
    expect(second.nextCursor).toBeNull();
  });

  test.each([
    [{ status: "failed" }, [5, 4, 2, 1]],
    [{ status: "4xx" }, [5, 4, 1]],
    [{ status: "5xx" }, [2]],
    [{ status: "succeeded" }, [3, 0]],
    [{ error_code: "VALIDATION_ERROR" }, [1]],
    [{ error_code: "VALIDATION_ERROR", status: "5xx" }, []],
    [{ method: "POST" }, [4, 1]],
    [{ path: "/api/v1/virtual" }, [3]],
    [{ path: "/api/v1/%" }, undefined],
    [{ caller: "member" }, [3]],
    [{ key_id: "key_of_nobody" }, []],
    [{ method: "POST", error_code: "INSUFFICIENT_BALANCE" }, [4]],
  ] as const)("with the filter %o has %o", async (filter, places) => {
    if (!places) return expect(() => ListRequestsQuery.parse(filter)).toThrow("Send the beginning of a path");
    expect(await listed(shop, filter)).toEqual(ids(...places));
  });

  test("by key and by time has what belongs there", async () => {
    expect(await listed(shop, { key_id: shop.key.id })).toEqual(ids(5, 4, 2, 1, 0));
    const [from, to] = [all[2]?.createdAt.toISOString(), all[4]?.createdAt.toISOString()];
    expect(await listed(shop, { created_after: from, created_before: to })).toEqual(ids(3, 2));
    expect(await listed(shop, { created_after: from, status: "failed" })).toEqual(ids(5, 4, 2));
  });

  test("another merchant's cursor and request are refused", async () => {
    const other = await aMerchantWithAllRights();
    const { nextCursor } = await listRequests(shop.ctx, { limit: 1 });
    await expect(listRequests(other.ctx, { limit: 1, cursor: nextCursor ?? "" })).rejects.toThrow("does not belong to this list");
    await expect(getRequest(other.ctx, all[0]?.id ?? "")).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    expect(await getRequest(shop.ctx, all[0]?.id ?? "")).toMatchObject({ id: all[0]?.id, caller: "key", endpoint: "getWallet" });
  });
});

test("a filter that no index serves looks at 5,000 rows an answer, says how far, and goes on from there to the end", async () => {
  const shop = await aMerchantWithAllRights();
  const start = Date.now() - HOUR_MS;
  await sql()`
    insert into request_log (merchant_id, id, caller, api_key_id, method, path, status, duration_ms, client_address, created_at)
    select ${shop.merchant.id}, ${leastIdAt("request", start)} || lpad(n::text, 16, '0'), 'key', ${shop.key.id}, case n when 7 then 'PATCH' else 'GET' end, '/',
      200, 1, '203.0.113.1', ${new Date(start).toISOString()}::timestamptz + n * interval '1 millisecond' from generate_series(1, 5200) n`;
  const query = ListRequestsQuery.parse({ method: "PATCH" });
  const first = await listRequests(shop.ctx, query);
  expect(first).toMatchObject({ items: [], searchedTo: expect.any(Date), nextCursor: expect.any(String) });
  const second = await listRequests(shop.ctx, { ...query, cursor: first.nextCursor ?? "" });
  expect(second.items).toHaveLength(1);
  expect(second.nextCursor).toBeNull();
});

test("failures of the last day are grouped by code and endpoint, the largest first, and older ones, successes and failures of members are not counted", async () => {
  const shop = await aMerchantWithAllRights();
  const failed = { status: 422, errorCode: "VALIDATION_ERROR", method: "POST", endpoint: "createPaymentLink" };
  const all = await log(shop, [
    ...[failed, failed, failed],
    { ...failed, endpoint: "issueCard" },
    { ...failed, status: 402, errorCode: "INSUFFICIENT_BALANCE" },
    {},
    { ...failed, at: Date.now() - DAY_MS - 10 * MINUTE_MS },
    { ...failed, apiKeyId: null, userId: "usr_ada" },
  ]);
  await log(await aMerchantWithAllRights(), [failed]);
  const { groups, countedFrom } = await groupFailures(shop.ctx);
  expect(groups.map(({ errorCode, endpoint, count }) => [errorCode, endpoint, count])).toEqual([
    ["VALIDATION_ERROR", "createPaymentLink", 3],
    ["INSUFFICIENT_BALANCE", "createPaymentLink", 1],
    ["VALIDATION_ERROR", "issueCard", 1],
  ]);
  expect(groups[0]).toMatchObject({ method: "POST", lastRequestId: all[2]?.id, lastAt: all[2]?.createdAt });
  expect(Date.now() - countedFrom.getTime()).toBeLessThan(DAY_MS + MINUTE_MS);
});

test("if more than 2,000 requests failed within a day, the newest are counted, and the answer says since when", async () => {
  const shop = await aMerchantWithAllRights();
  const start = Date.now() - HOUR_MS;
  await sql()`
    insert into request_log (merchant_id, id, caller, api_key_id, method, path, status, error_code, duration_ms, client_address, created_at)
    select ${shop.merchant.id}, ${leastIdAt("request", start)} || lpad(n::text, 16, '0'), 'key', ${shop.key.id}, 'GET', '/', 404, 'RESOURCE_NOT_FOUND',
      1, '203.0.113.1', ${new Date(start).toISOString()}::timestamptz + n * interval '1 millisecond' from generate_series(1, 2050) n`;
  const { groups, countedFrom } = await groupFailures(shop.ctx);
  expect(groups.map(({ count }) => count)).toEqual([2_000]);
  expect(countedFrom).toEqual(new Date(start + 51));
});

test("if members' failures fill the search, the answer says since when it looked, and does not claim a day without failures", async () => {
  const shop = await aMerchantWithAllRights();
  const start = Date.now() - HOUR_MS;
  await sql()`
    insert into request_log (merchant_id, id, caller, user_id, method, path, status, error_code, duration_ms, client_address, created_at)
    select ${shop.merchant.id}, ${leastIdAt("request", start)} || lpad(n::text, 16, '0'), 'member', 'usr_ada', 'GET', '/', 404, 'RESOURCE_NOT_FOUND',
      1, '203.0.113.1', ${new Date(start).toISOString()}::timestamptz + n * interval '1 millisecond' from generate_series(1, 2050) n`;
  expect(await groupFailures(shop.ctx)).toEqual({ groups: [], countedFrom: new Date(start + 51) });
});

test("a request is shown for 30 days, also while its row is still there", async () => {
  const shop = await aMerchantWithAllRights();
  const [old, young] = await log(shop, [{ at: Date.now() - 30 * DAY_MS - MINUTE_MS }, { at: Date.now() - 30 * DAY_MS + MINUTE_MS }]);
  expect((await getRequest(shop.ctx, young?.id ?? "")).id).toBe(young?.id);
  await expect(getRequest(shop.ctx, old?.id ?? "")).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  expect(await listed(shop)).toEqual([young?.id]);
  expect(await listed(shop, { method: "GET" })).toEqual([young?.id]);
});

test("a key's last use is its newest request, and a batch that is written late does not set it back", async () => {
  const shop = await aMerchantWithAllRights();
  const at = Date.now() - HOUR_MS;
  const lastUse = async () => (await sql()`select last_used_at, last_used_address from api_key_uses where api_key_id = ${shop.key.id}`)[0];
  await log(shop, [
    { at, clientAddress: "203.0.113.8" },
    { at: at + 5_000, clientAddress: "203.0.113.9" },
    { at: at + 2_000, clientAddress: "203.0.113.7" },
  ]);
  expect(await lastUse()).toMatchObject({ last_used_address: "203.0.113.9" });
  await log(shop, [{ at: at + 1_000, clientAddress: "203.0.113.6" }]);
  expect(await lastUse()).toMatchObject({ last_used_address: "203.0.113.9" });
});

test("while the request log is locked, its writes hold at most two connections, and waiting rows are written afterwards", async () => {
  const shops = await Promise.all(Array.from({ length: 6 }, () => aMerchantWithAllRights()));
  const stored = async () => (await sql()`select 1 from request_log where path = '/api/v1/slow'`).length;
  const waiting = async () =>
    (
      await sql()`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%request_log%'`
    ).length;
  const logAll = () => shops.map((shop) => logRequest(entryOf(shop, { path: "/api/v1/slow" })));
  // The log flushes every half second.
  const endsAt = performance.now() + 3_000;
  let most = 0;
  let rounds = 0;
  await sql().begin(async (tx) => {
    await tx`lock table request_log in exclusive mode`;
    await until(async () => {
      logAll();
      rounds++;
      most = Math.max(most, await waiting());
      return performance.now() > endsAt;
    });
  });
  expect(most).toBe(2);
  await until(async () => (await stored()) === rounds * shops.length);
});

test("after rows of 100 merchants were written the next write waits 2 s, and after rows of a few merchants half a second", async () => {
  const shop = await aMerchantWithAllRights();
  const waits = vi.spyOn(globalThis, "setTimeout");
  const waitOf = async (entries: Entry[]) => {
    waits.mockClear();
    for (const entry of entries) logRequest(entry);
    await until(
      async () => (await sql()`select from request_log where id in ${sql()(entries.map(({ id }) => id))}`).length === entries.length,
    );
    return waits.mock.calls.find(([callback]) => String(callback).includes("flushRequestLog"))?.[1];
  };
  const ofMany = Array.from({ length: 100 }, () => ({ ...entryOf(shop), merchantId: newId("merchant") }));
  expect(await waitOf(ofMany)).toBe(500);
  expect(await waitOf([entryOf(shop)])).toBe(2_000);
  expect(await waitOf([entryOf(shop)])).toBe(500);
});
