import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { switchArea } from "#services/merchants/index.ts";
import { anOperator, byOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { aMeter, aSmartCard, aVtuMerchant } from "#services/vtu/vtu.fixture.ts";
import { type ApiAnswer, apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { type Api, keyed } from "../api.fixture.ts";
import { airtimeBody, bodies, electricityBody, examBody, ids, type Kind, readProductIds, VTU } from "./vtu-api.fixture.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let api: Api;
beforeAll(async () => {
  shop = await aVtuMerchant();
  api = apiClient(app, shop.key);
  await readProductIds();
});

const KINDS = Object.keys(bodies) as Kind[];

/** Returns one call for each endpoint of the area, by name. */
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

describe("access", () => {
  test("is refused on every endpoint while the area is not enabled, whatever the body", async () => {
    const other = await aVtuMerchant();
    await switchArea(anOperator, other.merchant.id, "vtu", false);
    const client = apiClient(app, other.key);
    for (const call of Object.values(everyCall(client))) expectError(await call(), "SERVICE_NOT_ENABLED");
    expectError(await client.call("POST", `${VTU}/airtime`, { raw: "{" }), "SERVICE_NOT_ENABLED");
    await switchArea(anOperator, other.merchant.id, "vtu", true);
  });

  test("needs the permission: a key without it is refused everywhere, and a key that may only read cannot buy", async () => {
    const key = (permissions: ("vtu:read" | "wallet:read")[]) => createApiKey(byOperator(shop.ctx), { name: "k", permissions });
    const [reader, stranger] = [apiClient(app, await key(["vtu:read"])), apiClient(app, await key(["wallet:read"]))];
    for (const call of Object.values(everyCall(stranger))) expectError(await call(), "PERMISSION_DENIED");
    for (const kind of KINDS) expectError((await everyCall(reader)[kind]?.()) as ApiAnswer, "PERMISSION_DENIED");
    expect((await reader.get(`${VTU}/discos`)).status).toBe(200);
  });

  test("to another merchant's purchase is refused in the same words as access to a purchase that does not exist", async () => {
    const { body } = await api.post(`${VTU}/airtime`, airtimeBody());
    const stranger = apiClient(app, (await aVtuMerchant()).key);
    const [foreign, unknown] = [
      await stranger.get(`${VTU}/transaction/status?reference=${body.data.reference}`),
      await stranger.get(`${VTU}/transaction/status?reference=vtu_01KAF3YQW5A8Q6ZJ4K1S2T3V4W7M2Q9X4CR`),
    ];
    expectError(foreign, "RESOURCE_NOT_FOUND");
    expect(foreign.body.error.message).toBe(unknown.body.error.message);
    expect((await stranger.get(`${VTU}/transactions`)).body.data).toEqual([]);
    expectError(await api.get(`${VTU}/transaction/status?reference=%00`), "VALIDATION_ERROR");
    expectError(await api.get(`${VTU}/transaction/status`), "VALIDATION_ERROR");
  });

  test("in live mode without an aggregator is refused with a message that says whom to ask, and nothing is bought", async () => {
    await enableLiveAreas(shop.liveMerchantId, "vtu");
    const key = await createApiKey(byOperator(shop.liveCtx), { name: "Live" });
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

const tell = (provider: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/api/providers/${provider}/vtu-notices`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });

test("an unsigned notice is refused where the aggregator signs its notices, and elsewhere it only causes a read", async () => {
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
  expect((await tell("sandbox-vtpass", `{"type":"transaction-update","data":{"requestId":"202611211432${"A".repeat(35)}"}}`)).status).toBe(
    200,
  );
  expect((await tell("sandbox-vtpass", "x".repeat(70_000))).status).toBe(413);
});

test("no token or pin is readable in the log or in any table, such as events and idempotency records", async () => {
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
  const log = await app.wholeLog();
  for (const secret of secrets) expect(log).not.toContain(secret);
  await expectInvariantsToHold();
});
