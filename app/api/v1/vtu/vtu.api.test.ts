import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import type { Aggregator, CatalogueItem } from "#providers/aggregator.ts";
import { systemContext } from "#services/context.ts";
import { createApiKey, switchArea } from "#services/merchants/index.ts";
import { anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { syncDueCatalogues } from "#services/vtu/index.ts";
import { syncCatalogue } from "#services/vtu/sync-catalogue.ts";
import {
  aMeter,
  aPhone,
  aSmartCard,
  aVtuMerchant,
  orderVtuFault,
  productNamed,
  readListOf,
  tellAggregator,
  walletOf,
} from "#services/vtu/vtu.fixture.ts";
import { type ApiAnswer, apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";

withDatabase();
const app = withApp();

const VTU = "/api/v1/vtu";
const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });
type Api = ReturnType<typeof apiClient>;

let shop: TestMerchant;
let api: Api;
const ids = { data: 0, cable: 0, disco: 0, letters: 0, exam: 0 };

beforeAll(async () => {
  shop = await aVtuMerchant();
  api = apiClient(app, shop.key);
  const idOf = async (service: "data" | "cable" | "electricity" | "exam", code: string) =>
    (await productNamed("sandbox", service, code)).id;
  ids.data = await idOf("data", "mtn-sme-1gb-30-days");
  ids.cable = await idOf("cable", "gotv-jolli");
  ids.disco = await idOf("electricity", "ikeja-electric");
  ids.letters = await idOf("electricity", "eko-electric");
  ids.exam = await idOf("exam", "waec-result");
});

const airtimeBody = (changes: object = {}) => ({ network: "mtn", phone: aPhone(), amount: 100, ...changes });
const dataBody = (changes: object = {}) => ({ phone: aPhone(), data_plan_id: ids.data, ...changes });
const cableBody = (changes: object = {}) => ({ cable_plan_id: ids.cable, smart_card_number: aSmartCard(), ...changes });
const electricityBody = (changes: object = {}) => ({
  disco_id: ids.disco,
  meter_number: aMeter(),
  meter_type: "Prepaid",
  amount: 1_000,
  ...changes,
});
const examBody = (changes: object = {}) => ({ exam_type_id: ids.exam, quantity: 1, ...changes });
const bodies = { airtime: airtimeBody, data: dataBody, cable: cableBody, electricity: electricityBody, exam: examBody };
type Kind = keyof typeof bodies;
const KINDS = Object.keys(bodies) as Kind[];

/** Every endpoint of the area. */
const everyCall = (client: Api): Record<string, () => Promise<ApiAnswer>> => ({
  ...Object.fromEntries(KINDS.map((kind) => [kind, () => client.post(`${VTU}/${kind}`, bodies[kind]())])),
  dataPlans: () => client.get(`${VTU}/data-plans`),
  cablePlans: () => client.get(`${VTU}/cable-plans`),
  discos: () => client.get(`${VTU}/discos`),
  examTypes: () => client.get(`${VTU}/exam-types`),
  status: () => client.get(`${VTU}/transaction/status?reference=vtu_x`),
  list: () => client.get(`${VTU}/transactions`),
  verifyCable: () => client.post(`${VTU}/cable/verify`, { cable_plan_id: ids.cable, smart_card_number: aSmartCard() }),
  verifyMeter: () => client.post(`${VTU}/electricity/verify`, { disco_id: ids.disco, meter_number: aMeter(), meter_type: "Prepaid" }),
});

describe("who may", () => {
  test("nobody, on any endpoint, where the area is not enabled, whatever the body", async () => {
    const other = await aVtuMerchant();
    await switchArea(anOperator, other.merchant.id, "vtu", false);
    const client = apiClient(app, other.key);
    for (const call of Object.values(everyCall(client))) expectError(await call(), "SERVICE_NOT_ENABLED");
    expectError(await client.call("POST", `${VTU}/airtime`, { raw: "{" }), "SERVICE_NOT_ENABLED");
    await switchArea(anOperator, other.merchant.id, "vtu", true);
  });

  test("a key without the permission buys nothing, and one that only reads reads", async () => {
    const key = (permissions: ("vtu:read" | "wallet:read")[]) => createApiKey(shop.ctx, { name: "k", permissions });
    const [reader, stranger] = [apiClient(app, await key(["vtu:read"])), apiClient(app, await key(["wallet:read"]))];
    for (const call of Object.values(everyCall(stranger))) expectError(await call(), "PERMISSION_DENIED");
    for (const kind of KINDS) expectError((await everyCall(reader)[kind]?.()) as ApiAnswer, "PERMISSION_DENIED");
    expect((await reader.get(`${VTU}/discos`)).status).toBe(200);
  });

  test("another merchant's purchase is not found, in the words of one that never was", async () => {
    const { body } = await api.post(`${VTU}/airtime`, airtimeBody());
    const stranger = apiClient(app, (await aVtuMerchant()).key);
    const [theirs, nobodys] = [
      await stranger.get(`${VTU}/transaction/status?reference=${body.data.reference}`),
      await stranger.get(`${VTU}/transaction/status?reference=vtu_01KAF3YQW5A8Q6ZJ4K1S2T3V4W`),
    ];
    expectError(theirs, "RESOURCE_NOT_FOUND");
    expect(theirs.body.error.message).toBe(nobodys.body.error.message);
    expect((await stranger.get(`${VTU}/transactions`)).body.data).toEqual([]);
    expectError(await api.get(`${VTU}/transaction/status?reference=%00`), "VALIDATION_ERROR");
    expectError(await api.get(`${VTU}/transaction/status`), "VALIDATION_ERROR");
  });

  test("live mode without an aggregator says whom to ask, and takes nothing", async () => {
    await switchArea(anOperator, shop.liveMerchantId, "vtu", true);
    const key = await createApiKey(shop.liveCtx, { name: "Live" });
    const live = apiClient(app, key);
    for (const [name, call] of Object.entries(everyCall(live))) {
      if (name === "status" || name === "list") continue;
      const answer = await call();
      expectError(answer, "PROVIDER_UNAVAILABLE");
      expect(answer.body.error.message).toMatch(/^Live mode has no .* Ask the operator of this service\.$/);
    }
    expect((await live.get(`${VTU}/transactions`)).body.data).toEqual([]);
  });
});

describe("what is refused, by name", () => {
  test.each<[string, Kind, object, string]>([
    ["no network", "airtime", { network: undefined }, "network"],
    ["an unknown network", "airtime", { network: "etisalat" }, "network"],
    ["a network that is a number", "airtime", { network: 5 }, "network"],
    ["a phone that is too short", "airtime", { phone: "080312345" }, "phone"],
    ["a phone from abroad", "airtime", { phone: "+447911123456" }, "phone"],
    ["a landline", "airtime", { phone: "012345678" }, "phone"],
    ["₦49.99 of airtime", "airtime", { amount: 49.99 }, "amount"],
    ["₦50,000.01 of airtime", "airtime", { amount: 50_000.01 }, "amount"],
    ["three decimals", "airtime", { amount: 100.001 }, "amount"],
    ["an amount as text", "airtime", { amount: "100" }, "amount"],
    ["an unknown provider", "airtime", { provider: "Carrier" }, "provider"],
    ["an unknown field", "airtime", { pin: "1234" }, "pin"],
    ["a price as text", "airtime", { expected_price: "100" }, "expected_price"],
    ["allow_duplicate as text", "airtime", { allow_duplicate: "yes" }, "allow_duplicate"],
    ["no plan", "data", { data_plan_id: undefined }, "data_plan_id"],
    ["a plan as text", "data", { data_plan_id: "1001" }, "data_plan_id"],
    ["a plan beyond all integers", "data", { data_plan_id: 3_000_000_000 }, "data_plan_id"],
    ["a smart card of 9 digits", "cable", { smart_card_number: "123456789" }, "smart_card_number"],
    ["a smart card with letters", "cable", { smart_card_number: "12345678AB" }, "smart_card_number"],
    ["a customer's phone of nowhere", "cable", { customer_phone: "12" }, "customer_phone"],
    ["a meter of 12 digits", "electricity", { meter_number: "123456789012" }, "meter_number"],
    ["a meter with letters where there are none", "electricity", { meter_number: "A1234567890" }, "meter_number"],
    ["a meter that is a NUL", "electricity", { meter_number: "1234567890\u0000" }, "meter_number"],
    ["an unknown meter type", "electricity", { meter_type: "Smart" }, "meter_type"],
    ["₦499 of electricity", "electricity", { amount: 499 }, "amount"],
    ["₦100,001 of electricity", "electricity", { amount: 100_001 }, "amount"],
    ["an email of 20 KB", "electricity", { customer_email: `${"x".repeat(20_000)}@example.com` }, "customer_email"],
    ["a customer's email that is none", "electricity", { customer_email: "ngozi" }, "customer_email"],
    ["no pins", "exam", { quantity: 0 }, "quantity"],
    ["21 pins", "exam", { quantity: 21 }, "quantity"],
    ["half a pin", "exam", { quantity: 1.5 }, "quantity"],
  ])("%s (%s)", async (_what, kind, changes, param) => {
    const answer = await api.post(`${VTU}/${kind}`, bodies[kind](changes));
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe(param);
  });

  test("every bad field at once", async () => {
    const { body } = await api.post(`${VTU}/electricity`, { disco_id: "x", meter_number: 1, meter_type: null, amount: 1 });
    expect(body.error.errors.map(({ param }: { param: string }) => param)).toEqual(["disco_id", "meter_number", "meter_type", "amount"]);
  });
});

describe("what people write is understood", () => {
  test.each(["08031234567", "2348031234567", "+234 803 123 4567", "0803-123-4567", "+234(0)8031234567", "002348031234567"])(
    "%s is one phone",
    async (phone) => {
      const { body } = await api.post(`${VTU}/airtime`, airtimeBody({ phone, network: "MTN", provider: "vtu", allow_duplicate: true }));
      expect(body.data.recipient).toBe("+2348031234567");
    },
  );

  test("a network that does not match the number is no reason to refuse, and a hint where it fails", async () => {
    const delivered = await api.post(`${VTU}/airtime`, airtimeBody({ network: "glo", phone: "08031237654" }));
    expect(delivered.body.data.status).toBe("success");
    const failed = await api.post(`${VTU}/airtime`, airtimeBody({ network: "glo", phone: "08031230000" }));
    expect(failed.body.data.message).toMatch(/The number looks like MTN's: check its network\.$/);
  });

  test("meters in any writing: dashes, 13 digits, letters where a disco has them, a type in any case", async () => {
    const buy = (changes: object) => api.post(`${VTU}/electricity`, electricityBody(changes));
    expect((await buy({ meter_number: "4503-123 4567", meter_type: "postpaid" })).body.data).toMatchObject({
      recipient: "45031234567",
      token: null,
    });
    expect((await buy({ meter_number: "1234567890123" })).body.data.recipient).toBe("1234567890123");
    expect((await buy({ disco_id: ids.letters, meter_number: "a1234567" })).body.data.recipient).toBe("A1234567");
  });
});

describe("a price", () => {
  test("that is expected and right is paid; another is refused, of pins for all of them", async () => {
    expect((await api.post(`${VTU}/data`, dataBody({ expected_price: 600 }))).body.data).toMatchObject({ status: "success", amount: 600 });
    expectError(await api.post(`${VTU}/data`, dataBody({ expected_price: 599.99 })), "PRICE_CHANGED");
    expectError(await api.post(`${VTU}/airtime`, airtimeBody({ expected_price: 101 })), "PRICE_CHANGED");
    expectError(await api.post(`${VTU}/exam`, examBody({ quantity: 2, expected_price: 3_900 })), "PRICE_CHANGED");
    expect((await api.post(`${VTU}/exam`, examBody({ quantity: 2, expected_price: 7_800 }))).body.data.pins).toHaveLength(2);
  });

  test("that changes at the aggregator is known after the next reading, with its history, and what is gone is PRODUCT_UNAVAILABLE", async () => {
    const { id, code } = await productNamed("sandbox", "cable", "startimes-nova");
    await tellAggregator("sandbox", "changes", { code, naira: 2_500 });
    // Quoted at the old price, which the aggregator does not take: the money is back.
    expect((await api.post(`${VTU}/cable`, cableBody({ cable_plan_id: id }))).body.data).toMatchObject({
      status: "failed",
      amount: 2_100,
      refunded: 2_100,
    });
    expect(await readListOf("sandbox")).toMatchObject({ repriced: 1, added: 0, withdrawn: 0 });
    expect((await api.post(`${VTU}/cable`, cableBody({ cable_plan_id: id }))).body.data).toMatchObject({
      status: "success",
      amount: 2_500,
    });
    const history = await sql()<
      { selling_price: bigint }[]
    >`select selling_price from product_prices where product_id = ${id} order by valid_from`;
    expect(history.map(({ selling_price }) => selling_price)).toEqual([210_000n, 250_000n]);
    await tellAggregator("sandbox", "changes", { code, withdrawn: true });
    expect(await readListOf("sandbox")).toMatchObject({ withdrawn: 1 });
    expectError(await api.post(`${VTU}/cable`, cableBody({ cable_plan_id: id })), "PRODUCT_UNAVAILABLE");
    await tellAggregator("sandbox", "changes", { code, withdrawn: false });
    expect(await readListOf("sandbox")).toMatchObject({ added: 0, changed: 1 });
    expect((await api.post(`${VTU}/cable`, cableBody({ cable_plan_id: id }))).body.data.status).toBe("success");
    expect(await readListOf("sandbox")).toEqual({ added: 0, repriced: 0, changed: 0, withdrawn: 0 });
  });

  test("an unknown product, and one of another kind, is PRODUCT_UNAVAILABLE", async () => {
    expectError(await api.post(`${VTU}/data`, dataBody({ data_plan_id: 999_999 })), "PRODUCT_UNAVAILABLE");
    expectError(await api.post(`${VTU}/data`, dataBody({ data_plan_id: ids.cable })), "PRODUCT_UNAVAILABLE");
    const other = apiClient(app, (await aVtuMerchant({ aggregator: "sandbox-vtpass" })).key);
    expectError(await other.post(`${VTU}/data`, dataBody()), "PRODUCT_UNAVAILABLE");
    expectError(await other.post(`${VTU}/airtime`, airtimeBody({ provider: "Sharesell" })), "PRODUCT_UNAVAILABLE");
  });
});

describe("a list that is not as it should be", () => {
  const plan = (code: string, changes: Partial<CatalogueItem> = {}): CatalogueItem => ({
    ...{ service: "data", code, name: `Plan ${code}`, brand: "mtn", variant: "SME", size: "1GB", validity: "30 days" },
    ...{ price: naira(100), hasLetters: false },
    ...changes,
  });
  const syncOf = (items: CatalogueItem[]) => syncCatalogue({ ...odd, listProducts: async () => ({ status: "found", found: items }) });
  const odd: Aggregator = {
    name: "sandbox-odd",
    capabilities: { visibleWithinMs: 1 },
    listProducts: async () => ({ status: "unknown" }),
    verifyCustomer: async () => ({ status: "unknown" }),
    buy: async () => ({ status: "unknown" }),
    readPurchase: async () => ({ status: "unknown" }),
    readNotice: () => undefined,
  };

  test("keeps no sound product out, and withdraws nothing where it is cut short", async () => {
    const many = Array.from({ length: 10 }, (_, n) => plan(`p${n}`));
    const unsound = [
      plan("p1"),
      plan("free", { price: naira(0) }),
      plan("none", { price: null }),
      plan("nul", { name: "a\u0000" }),
      plan("half", { size: "\ud800" }),
    ];
    expect(await syncOf([...many, ...unsound])).toEqual({ added: 10, repriced: 0, changed: 0, withdrawn: 0 });
    expect(await syncOf([plan("p0", { price: naira(101) })])).toEqual({ added: 0, repriced: 1, changed: 0, withdrawn: 0 });
    expect(await syncOf(many.slice(0, 6))).toMatchObject({ withdrawn: 4 });
    expect(await syncOf([])).toBeUndefined();
    expect(await syncCatalogue(odd)).toBeUndefined();
    const [sold] = await sql()<{ count: bigint }[]>`select count(*) from products where provider = 'sandbox-odd' and withdrawn_at is null`;
    expect(sold?.count).toBe(6n);
  });
});

describe("the same request", () => {
  test("five times at once with one Idempotency-Key buys once", async () => {
    const before = await walletOf(shop.merchant.id);
    const body = airtimeBody({ amount: 250 });
    const answers = await Promise.all(times(5, () => api.post(`${VTU}/airtime`, body, keyed("five"))));
    const done = answers.filter(({ status }) => status === 200);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
    expect(new Set(done.map((answer) => answer.body.data.reference)).size).toBe(1);
    const again = await api.post(`${VTU}/airtime`, body, keyed("five"));
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.body).toEqual(done[0]?.body);
    expectError(await api.post(`${VTU}/airtime`, { ...body, amount: 251 }, keyed("five")), "IDEMPOTENCY_KEY_REUSED");
    expect((await walletOf(shop.merchant.id)).balance).toBe(before.balance - 25_000n);
  });

  test("five times at once without one is refused four times, with another key it is meant", async () => {
    const body = airtimeBody();
    const answers = await Promise.all(times(5, () => api.post(`${VTU}/airtime`, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, "DUPLICATE_PURCHASE");
    expect((await api.post(`${VTU}/airtime`, body, keyed("meant"))).status).toBe(200);
    expect((await api.post(`${VTU}/airtime`, { ...body, allow_duplicate: true })).status).toBe(200);
    const pins = await Promise.all(times(2, () => api.post(`${VTU}/exam`, examBody())));
    expect(pins.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("with a key that was refused for want of money goes through after a top-up", async () => {
    const poor = await aVtuMerchant({ wallet: 50 });
    const client = apiClient(app, poor.key);
    const body = airtimeBody();
    expectError(await client.post(`${VTU}/airtime`, body, keyed("poor")), "INSUFFICIENT_BALANCE");
    expect(await walletOf(poor.merchant.id)).toEqual({ balance: 5_000n, held: 0n });
    expect((await client.post(`${VTU}/airtime`, airtimeBody({ amount: 50 }))).status).toBe(200);
  });

  test("replayed while it is processing says how it stands, with the first status", async () => {
    const body = airtimeBody({ phone: aPhone("1111") });
    const first = await api.post(`${VTU}/airtime`, body, keyed("later"));
    expect(first.status).toBe(202);
    await until(
      async () => (await api.get(`${VTU}/transaction/status?reference=${first.body.data.reference}`)).body.data.status === "success",
    );
    const again = await api.post(`${VTU}/airtime`, body, keyed("later"));
    expect({ status: again.status, said: again.body.data.status }).toEqual({ status: 202, said: "success" });
  });
});

describe("lists", () => {
  test("are whole, filtered in any case, and say 304 to who has them", async () => {
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

  test("of purchases page newest first, and filter by status, service and recipient", async () => {
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
    expectError(await client.get(`${VTU}/transactions?status=done`), "VALIDATION_ERROR");
    expectError(await client.get(`${VTU}/transactions?recipient=%00`), "VALIDATION_ERROR");
    expectError(await api.get(`${VTU}/transactions?cursor=${encodeURIComponent(first.pagination.next_cursor)}`), "VALIDATION_ERROR");
  });
});

describe("a customer", () => {
  test("is named before paying, by plan or by broadcaster, and a number that nobody has is refused by name", async () => {
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
});

describe("notices", () => {
  const tell = (provider: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${app.url}/api/providers/${provider}/vtu-notices`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });

  test("that are not signed are refused where they have to be, and lead to nothing but a reading where not", async () => {
    const { body } = await api.post(`${VTU}/airtime`, airtimeBody());
    expect((await tell("sandbox", JSON.stringify({ order: body.data.reference }))).status).toBe(401);
    const client = apiClient(app, (await aVtuMerchant({ aggregator: "sandbox-vtpass" })).key);
    const bought = await client.post(`${VTU}/airtime`, airtimeBody());
    const requestId = `202611211432${bought.body.data.reference.slice(4)}`;
    const lie = JSON.stringify({ type: "transaction-update", data: { requestId, status: "reversed" } });
    expect((await tell("sandbox-vtpass", lie)).status).toBe(200);
    expect((await client.get(`${VTU}/transaction/status?reference=${bought.body.data.reference}`)).body.data.status).toBe("success");
    expect((await tell("nobody", "{}")).status).toBe(404);
    expect((await tell("sandbox-vtpass", "{")).status).toBe(401);
    expect(
      (await tell("sandbox-vtpass", `{"type":"transaction-update","data":{"requestId":"202611211432${"A".repeat(26)}"}}`)).status,
    ).toBe(200);
    expect((await tell("sandbox-vtpass", "x".repeat(70_000))).status).toBe(413);
  });
});

test("the worker reads each aggregator's list when it is due, and one that cannot be read stays as it is", async () => {
  await sql()`update catalogues set next_sync_at = now() - interval '1 ms'`;
  expect(await syncDueCatalogues(systemContext("test"))).toBe(2);
  expect(await syncDueCatalogues(systemContext("test"))).toBe(0);
  expect(await sql()`select provider from catalogues where synced_at is null`).toEqual([]);
});

test("no token or pin is in a log, an event or an idempotency record", async () => {
  const electricity = await api.post(`${VTU}/electricity`, electricityBody(), keyed("token"));
  const exam = await api.post(`${VTU}/exam`, examBody({ quantity: 3 }), keyed("pins"));
  const secrets = [
    electricity.body.data.token,
    ...exam.body.data.pins.flatMap(({ pin, serial }: { pin: string; serial: string }) => [pin, serial]),
  ];
  expect(secrets).toHaveLength(7);
  const tables = await sql()<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`;
  for (const { name } of tables) {
    const [found] = await sql()<{ found: boolean }[]>`
      select coalesce(bool_or(t::text ~ ${secrets.join("|")}), false) as found from ${sql().unsafe(name)} t`;
    expect({ name, found: found?.found }).toEqual({ name, found: false });
  }
  for (const secret of secrets) expect(app.log()).not.toContain(secret);
  await expectInvariantsToHold();
});
