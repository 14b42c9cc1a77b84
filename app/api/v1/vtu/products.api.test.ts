import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import type { Aggregator, CatalogueItem } from "#providers/aggregator.ts";
import { systemContext } from "#services/context.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { syncCatalogue } from "#services/vtu/catalogue/sync-catalogue.ts";
import { syncDueCatalogues } from "#services/vtu/index.ts";
import {
  aMeter,
  aPhone,
  aSmartCard,
  aVtuMerchant,
  orderVtuFault,
  productNamed,
  readListOf,
  tellAggregator,
} from "#services/vtu/vtu.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { type Api, keyed } from "../api.fixture.ts";
import { airtimeBody, cableBody, dataBody, examBody, ids, readProductIds, VTU } from "./vtu-api.fixture.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let api: Api;
beforeAll(async () => {
  shop = await aVtuMerchant();
  api = apiClient(app, shop.key);
  await readProductIds();
});

describe("a price", () => {
  test("an order is paid only at its expected price, and the price of an order of pins is that of all of them", async () => {
    expect((await api.post(`${VTU}/data`, dataBody({ expected_price: 600 }))).body.data).toMatchObject({ status: "success", amount: 600 });
    expectError(await api.post(`${VTU}/data`, dataBody({ expected_price: 599.99 })), "PRICE_CHANGED");
    expectError(await api.post(`${VTU}/airtime`, airtimeBody({ expected_price: 101 })), "PRICE_CHANGED");
    const pinPrice = 3_900;
    expectError(await api.post(`${VTU}/exam`, examBody({ quantity: 2, expected_price: pinPrice })), "PRICE_CHANGED");
    expect((await api.post(`${VTU}/exam`, examBody({ quantity: 2, expected_price: 2 * pinPrice }))).body.data.pins).toHaveLength(2);
  });

  test("that changes at the aggregator is known after the next sync, with its history, and a withdrawn product is PRODUCT_UNAVAILABLE", async () => {
    const { id, code } = await productNamed("sandbox", "cable", "startimes-nova");
    await tellAggregator("sandbox", "changes", { code, naira: 2_500 });
    // The purchase is quoted at the old price. The aggregator refuses it, and the money comes back.
    expect(
      (await api.post(`${VTU}/cable`, cableBody({ cable_plan_id: id, smart_card_number: `1${aSmartCard()}` }))).body.data,
    ).toMatchObject({
      status: "failed",
      amount: 2_100,
      refunded: 2_100,
    });
    expect(await readListOf("sandbox")).toMatchObject({ repriced: 1, added: 0, withdrawn: 0 });
    expect(
      (await api.post(`${VTU}/cable`, cableBody({ cable_plan_id: id, smart_card_number: `1${aSmartCard()}` }))).body.data,
    ).toMatchObject({
      status: "success",
      amount: 2_500,
    });
    const history = await sql()<
      { selling_price: bigint }[]
    >`select selling_price from product_prices where product_id = ${id} order by valid_from`;
    expect(history.map(({ selling_price }) => selling_price)).toEqual([naira(2_100).minor, naira(2_500).minor]);
    await tellAggregator("sandbox", "changes", { code, withdrawn: true });
    expect(await readListOf("sandbox")).toMatchObject({ withdrawn: 1 });
    expectError(
      await api.post(`${VTU}/cable`, cableBody({ cable_plan_id: id, smart_card_number: `1${aSmartCard()}` })),
      "PRODUCT_UNAVAILABLE",
    );
    await tellAggregator("sandbox", "changes", { code, withdrawn: false });
    expect(await readListOf("sandbox")).toMatchObject({ added: 0, changed: 1 });
    expect((await api.post(`${VTU}/cable`, cableBody({ cable_plan_id: id, smart_card_number: `1${aSmartCard()}` }))).body.data.status).toBe(
      "success",
    );
    expect(await readListOf("sandbox")).toEqual({ added: 0, repriced: 0, changed: 0, withdrawn: 0 });
  });

  test("cannot be paid for an unknown product, or for one of another service or aggregator: it is PRODUCT_UNAVAILABLE", async () => {
    expectError(await api.post(`${VTU}/data`, dataBody({ data_plan_id: 999_999 })), "PRODUCT_UNAVAILABLE");
    expectError(await api.post(`${VTU}/data`, dataBody({ data_plan_id: ids.cable })), "PRODUCT_UNAVAILABLE");
    const other = apiClient(app, (await aVtuMerchant({ aggregator: "sandbox-vtpass" })).key);
    expectError(await other.post(`${VTU}/data`, dataBody()), "PRODUCT_UNAVAILABLE");
    expectError(await other.post(`${VTU}/airtime`, airtimeBody({ provider: "Sharesell" })), "PRODUCT_UNAVAILABLE");
  });
});

const plan = (code: string, changes: Partial<CatalogueItem> = {}): CatalogueItem => ({
  ...{ service: "data", code, name: `Plan ${code}`, brand: "mtn", variant: "SME", size: "1GB", validity: "30 days" },
  ...{ price: naira(100), hasLetters: false },
  ...changes,
});
/** An aggregator that exists for its list alone. */
const odd: Aggregator = {
  name: "sandbox-odd",
  capabilities: { visibleWithinMs: 1 },
  listProducts: async () => ({ status: "unknown" }),
  verifyCustomer: async () => ({ status: "unknown" }),
  buy: async () => ({ status: "unknown" }),
  readPurchase: async () => ({ status: "unknown" }),
  readNotice: () => undefined,
};
const sync = (items: CatalogueItem[]) => syncCatalogue({ ...odd, listProducts: async () => ({ status: "found", found: items }) });

test("a bad product on an aggregator's list does not stop the sync, and a list that is cut short withdraws nothing", async () => {
  const many = Array.from({ length: 10 }, (_, n) => plan(`p${n}`));
  const unsound = [
    plan("p1"),
    plan("free", { price: naira(0) }),
    plan("none", { price: null }),
    plan("nul", { name: "a\u0000" }),
    plan("half", { size: "\ud800" }),
  ];
  expect(await sync([...many, ...unsound])).toEqual({ added: 10, repriced: 0, changed: 0, withdrawn: 0 });
  expect(await sync([plan("p0", { price: naira(101) })])).toEqual({ added: 0, repriced: 1, changed: 0, withdrawn: 0 });
  expect(await sync(many.slice(0, 6))).toMatchObject({ withdrawn: 4 });
  expect(await sync([])).toBeUndefined();
  expect(await syncCatalogue(odd)).toBeUndefined();
  const [sold] = await sql()<{ count: bigint }[]>`select count(*) from products where provider = 'sandbox-odd' and withdrawn_at is null`;
  expect(sold?.count).toBe(6n);
});

test("the sweep reads each aggregator's list when it is due, and not again before", async () => {
  await sql()`update catalogues set next_sync_at = now() - interval '1 ms'`;
  expect(await syncDueCatalogues(systemContext("test"))).toBe(2);
  expect(await syncDueCatalogues(systemContext("test"))).toBe(0);
  expect(await sql()`select provider from catalogues where synced_at is null`).toEqual([]);
});

describe("a list", () => {
  test("of products is complete, filters in any letter case and answers 304 to its ETag", async () => {
    const all = await api.get(`${VTU}/data-plans`);
    expect(all.body.data.length).toBeGreaterThan(45);
    expect(all.body.data[0]).toEqual({
      id: expect.any(Number),
      name: expect.any(String),
      network: "9mobile",
      plan_type: expect.any(String),
      size: expect.any(String),
      validity: expect.any(String),
      selling_price: expect.any(Number),
    });
    const glo = await api.get(`${VTU}/data-plans?network=GLO`);
    expect(new Set(glo.body.data.map(({ network }: { network: string }) => network))).toEqual(new Set(["glo"]));
    for (const name of ["DSTV", "dstv", "Startimes", "gotv"])
      expect((await api.get(`${VTU}/cable-plans?provider_name=${name}`)).body.data.length).toBeGreaterThan(3);
    expectError(await api.get(`${VTU}/cable-plans?provider_name=netflix`), "VALIDATION_ERROR");
    expect((await api.get(`${VTU}/discos`)).body.data).toHaveLength(12);
    expect((await api.get(`${VTU}/exam-types`)).body.data.map(({ name }: { name: string }) => name).join()).toMatch(
      /JAMB.*NABTEB.*NECO.*WAEC/,
    );
    const tag = all.headers.get("etag") ?? "";
    const ask = (value: string) =>
      fetch(`${app.url}${VTU}/data-plans`, {
        headers: { "X-Api-Key": shop.key.publicKey, "X-Api-Secret": shop.key.secretKey, "If-None-Match": value },
      });
    const known = await ask(`"other", W/${tag}`);
    expect({ status: known.status, etag: known.headers.get("etag"), body: await known.text() }).toEqual({
      status: 304,
      etag: tag,
      body: "",
    });
    expect((await ask('"other"')).status).toBe(200);
    expect(glo.headers.get("etag")).not.toBe(tag);
    expect(all.headers.get("cache-control")).toBe("private, no-cache");
  });

  test("of purchases has pages, newest first, and filters by status, service and recipient", async () => {
    const other = await aVtuMerchant();
    const client = apiClient(app, other.key);
    const phone = aPhone("0000");
    for (const body of [airtimeBody(), airtimeBody({ phone }), airtimeBody()]) await client.post(`${VTU}/airtime`, body);
    await client.post(`${VTU}/exam`, examBody());
    const list = async (query: string) => (await client.get(`${VTU}/transactions?${query}`)).body;
    const first = await list("limit=3");
    expect(first.data.map(({ service }: { service: string }) => service)).toEqual(["exam", "airtime", "airtime"]);
    expect(first.data[0].pins).toHaveLength(1);
    const rest = await list(`limit=3&cursor=${encodeURIComponent(first.pagination.next_cursor)}`);
    expect(rest).toMatchObject({ data: [{ service: "airtime" }], pagination: { next_cursor: null, has_more: false } });
    expect((await list("status=failed")).data).toMatchObject([{ recipient: phone }]);
    expect((await list("status=success")).data).toHaveLength(3);
    expect((await list("status=processing")).data).toEqual([]);
    expect((await list("service=exam")).data).toHaveLength(1);
    expect((await list(`recipient=${phone.replace("+234", "0")}`)).data).toHaveLength(1);
    const card = "7034562211";
    const plan = await productNamed("sandbox", "cable", "dstv-padi");
    await client.post(`${VTU}/cable`, { smart_card_number: card, cable_plan_id: plan.id });
    for (const written of [card, "7034 562 211", "\u202a7034562211\u202c"])
      expect((await list(`recipient=${encodeURIComponent(written)}`)).data).toMatchObject([{ recipient: card }]);
    expectError(await client.get(`${VTU}/transactions?status=done`), "VALIDATION_ERROR");
    expectError(await client.get(`${VTU}/transactions?recipient=%00`), "VALIDATION_ERROR");
    expectError(await api.get(`${VTU}/transactions?cursor=${encodeURIComponent(first.pagination.next_cursor)}`), "VALIDATION_ERROR");
  });
});

test("a customer is named before paying, by plan or by broadcaster, and an unknown number is refused with the name of its field", async () => {
  const smart_card_number = aSmartCard();
  const byPlan = await api.post(`${VTU}/cable/verify`, { cable_plan_id: ids.cable, smart_card_number });
  expect(byPlan.body.data).toEqual({
    customer_name: expect.stringMatching(/^[A-Z]+ [A-Z]+$/),
    address: expect.any(String),
    current_plan: "GOtv Jolli",
  });
  expect((await api.post(`${VTU}/cable/verify`, { provider_name: "gotv", smart_card_number }, keyed("verify"))).status).toBe(200);
  expect(
    (await api.post(`${VTU}/cable/verify`, { provider_name: "gotv", smart_card_number }, keyed("verify"))).body.data.customer_name,
  ).toBe(byPlan.body.data.customer_name);
  const meter = { disco_id: ids.disco, meter_number: aMeter(), meter_type: "prepaid" };
  expect((await api.post(`${VTU}/electricity/verify`, meter)).body.data).toMatchObject({ address: expect.stringContaining("Ikeja") });
  for (const [path, body, param] of [
    ["cable", { provider_name: "dstv", smart_card_number: aSmartCard("0000") }, "smart_card_number"],
    ["electricity", { ...meter, meter_number: aMeter("0000") }, "meter_number"],
    ["cable", { smart_card_number }, "provider_name"],
    ["cable", { smart_card_number, cable_plan_id: ids.cable, provider_name: "dstv" }, "provider_name"],
  ] as const) {
    const answer = await api.post(`${VTU}/${path}/verify`, body);
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe(param);
  }
  await orderVtuFault("sandbox", "customer", "nonsense");
  expectError(await api.post(`${VTU}/electricity/verify`, meter), "PROVIDER_ERROR");
  expectError(await api.post(`${VTU}/electricity/verify`, { ...meter, disco_id: ids.exam }), "PRODUCT_UNAVAILABLE");
});
