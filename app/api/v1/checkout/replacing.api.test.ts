import { beforeAll, expect, test } from "vitest";
import { createApiKey } from "#services/api-keys/index.ts";
import { aMerchant, byOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { type Api, keyed } from "../api.fixture.ts";
import { askSandbox, CREATE, create, expiryOf, statusOf, transferTo } from "./checkout-api.fixture.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let api: Api;
beforeAll(async () => {
  shop = await aMerchant();
  api = apiClient(app, shop.key);
});

async function anExpired(client = api): Promise<string> {
  const { reference } = await create(client);
  await client.post(expiryOf(reference));
  return reference;
}

const replacing = (replaces: unknown, send = {}) => api.post(CREATE, { amount: 5_000, replaces }, send);

test("a link replaces an expired one, and the status, the list and the events of both say so", async () => {
  const old = await anExpired();
  const { status, body } = await replacing(old);
  expect([status, body.replaces, body.replaced_by, body.status]).toEqual([201, old, null, "pending"]);
  expect((await api.get(statusOf(old))).body).toMatchObject({ status: "expired", replaces: null, replaced_by: body.reference });
  const { data } = (await api.get("/api/v1/checkout?limit=2")).body;
  expect(data).toMatchObject([{ replaces: old }, { reference: old, replaced_by: body.reference }]);
  await api.post(transferTo(body.reference));
  const events = (await api.get("/api/v1/events?after=0&limit=100")).body.data;
  expect(events.at(-1)).toMatchObject({ type: "checkout.success", data: { reference: body.reference, replaces: old, replaced_by: null } });
});

test.each([
  ["no text", 7],
  ["an unknown reference", "0".repeat(26)],
  ["no reference", "' or 1=1"],
  ["a text of 101 characters", "x".repeat(101)],
])("%s is refused at `replaces`", async (_what, replaces) => {
  const answer = await replacing(replaces);
  expectError(answer, "VALIDATION_ERROR");
  expect(answer.body.error.param).toBe("replaces");
});

test.each([null, "", " \u200b"])("%j at `replaces` means that the link replaces none", async (replaces) => {
  const answer = await replacing(replaces);
  expect([answer.status, answer.body.replaces]).toEqual([201, null]);
});

test("a pending, a paid and a replaced link are refused at `replaces`", async () => {
  const [pending, paid, replaced] = [(await create(api)).reference, (await create(api)).reference, await anExpired()];
  await api.post(transferTo(paid));
  await replacing(replaced);
  for (const reference of [pending, paid, replaced]) {
    const answer = await replacing(reference);
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("replaces");
  }
});

test("a link of another merchant or of the other mode gets the same refusal as an unknown reference", async () => {
  const foreign = await anExpired(apiClient(app, (await aMerchant()).key));
  await enableLiveAreas(shop.liveMerchantId, "checkout");
  const live = apiClient(app, await createApiKey(byOperator(shop.liveCtx), { name: "live" }));
  const answers = [
    await replacing("0".repeat(26)),
    await replacing(foreign),
    await live.post(CREATE, { amount: 5_000, replaces: await anExpired() }),
  ];
  for (const answer of answers) expectError(answer, "VALIDATION_ERROR");
  const [unknown, ...others] = answers.map(({ body }) => ({ ...body.error, request_id: "" }));
  expect(others).toEqual([unknown, unknown]);
});

test("one of five requests at once with different Idempotency-Keys replaces the link, and the others are refused", async () => {
  const old = await anExpired();
  const answers = await Promise.all(times(5, (i) => replacing(old, keyed(`five-${i}`))));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 201) expectError(answer, "VALIDATION_ERROR");
  expect((await api.get(statusOf(old))).body.replaced_by).toBe(made[0]?.body.reference);
});

test("five requests at once with one Idempotency-Key make one replacement, and a replay answers it as it is now", async () => {
  const old = await anExpired();
  const answers = await Promise.all(times(5, () => replacing(old, keyed("same"))));
  const made = answers.filter(({ status }) => status === 201);
  for (const answer of answers) if (answer.status !== 201) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
  expect(new Set(made.map(({ body }) => body.reference)).size).toBe(1);
  await api.post(transferTo(made[0]?.body.reference));
  const replay = await replacing(old, keyed("same"));
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  expect([replay.status, replay.body.status, replay.body.replaces]).toEqual([201, "success", old]);
});

test("a replacement whose bank did not answer, and whose link another replaced meanwhile, ends as not executed", async () => {
  const own = apiClient(app, (await aMerchant()).key);
  const { reference: old } = await create(own);
  await own.post(expiryOf(old));
  const send = () => own.post(CREATE, { amount: 5_000, replaces: old }, keyed("stuck"));
  await askSandbox(app, "faults", { fault: "error_after" });
  expect((await send()).body.error).toMatchObject({ code: "PROVIDER_ERROR", outcome: "unknown" });
  expect((await own.post(CREATE, { amount: 5_000, replaces: old })).status).toBe(201);
  for (let i = 0; i < 3; i++) {
    expect((await send()).body.error).toMatchObject({ code: "VALIDATION_ERROR", param: "replaces", outcome: "not_executed" });
  }
});
