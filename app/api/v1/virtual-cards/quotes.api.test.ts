import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { decidedByTwo } from "#services/approved.fixture.ts";
import { aCard, aCardMerchant, type TestCard } from "#services/cards/cards.fixture.ts";
import {
  FUND_RATE,
  fundingCost,
  fundingFee,
  MID_RATE,
  major,
  RATE_SCALE,
  UNLOAD_RATE,
  unloadWorth,
} from "#services/cards/prices/prices.fixture.ts";
import { expectBooksToAgree } from "#services/cards/spend/books.fixture.ts";
import { setRate } from "#services/exchange/index.ts";
import { byOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { type Api, keyed } from "../api.fixture.ts";
import { CARDS, fieldOf } from "./virtual-cards.fixture.ts";

withDatabase();
const app = withApp();
withCardSweeps();

let shop: TestMerchant;
let api: Api;
let card: TestCard;

beforeAll(async () => {
  shop = await aCardMerchant();
  api = apiClient(app, shop.key);
  card = await aCard(shop, { balance: 50 });
});

const quote = (query: string, id = card.id) => api.get(`${CARDS}/${id}/quote?${query}`);
const move = (type: string, body: Record<string, unknown>, options?: ReturnType<typeof keyed>) =>
  api.post(`${CARDS}/${card.id}/${type}`, body, options);
const walletNow = async () => (await api.get("/api/v1/wallet")).body.data;
const operationsNow = async () => (await api.get(`${CARDS}/${card.id}/operations?limit=100`)).body.data.length;

/** Sets the merchant's own rates, `by` Naira above the platform's. */
function shiftRates(by: bigint) {
  const [buy, mid, sell] = [UNLOAD_RATE, MID_RATE, FUND_RATE].map((rate) => (rate + by) * RATE_SCALE);
  if (!buy || !mid || !sell) throw new Error("no rates");
  return decidedByTwo((by) => setRate(by, shop.merchant.id, { buy, mid, sell, validForHours: 1 }));
}

test("a quote has the fields and the figures of the operation's answer, and the end of the rate's validity", async () => {
  const fund = (await quote("type=fund&amount=12.5")).body.data;
  const fee = major(fundingFee(12.5));
  expect(fund).toEqual({
    ...{ type: "fund", amount: 12.5, fee, total: 12.5 + fee, currency: "USD", exchange_rate: Number(FUND_RATE) },
    ...{ wallet_amount: major(fundingCost(12.5)), wallet_currency: "NGN", valid_until: "2100-01-01T00:00:00.000Z" },
  });
  const unload = (await quote("type=unload&amount=0.01")).body.data;
  expect(unload).toMatchObject({ type: "unload", amount: 0.01, fee: 0, total: 0.01, wallet_amount: major(unloadWorth(0.01)) });
  for (const { valid_until: _, ...figures } of [fund, unload]) {
    expect((await move(figures.type, { amount: figures.amount })).body.data).toMatchObject(figures);
  }
});

test.each(["fund", "unload"])("a quote of type %s has the limits of the operation's amount, and the same messages", async (type) => {
  for (const amount of [-5, -0.5, 0, 0.01, 0.99, 1, 10_000, 10_000.01, 10_000_000, 10_000_000.01, 2e13, 5.001]) {
    const quoted = await quote(`type=${type}&amount=${amount}`);
    const sent = await move(type, { amount });
    if (sent.body.error?.code !== "VALIDATION_ERROR") expect({ amount, status: quoted.status }).toEqual({ amount, status: 200 });
    else expect(quoted.body.error.errors).toEqual(sent.body.error.errors);
  }
});

test.each([
  "",
  "%205",
  "5%20",
  "+5",
  "%2B5",
  "5e0",
  "0x5",
  "05",
  ".5",
  "5.",
  "5,000",
  "NaN",
  "Infinity",
  "1.000",
  "-",
  "٥",
  "9".repeat(400),
])("the amount '%s' is refused, and the error names the field", async (amount) => {
  const answer = await quote(`type=unload&amount=${amount}`);
  expectError(answer, "VALIDATION_ERROR");
  expect(fieldOf(answer)).toBe("amount");
});

test("a quote without type and amount names both, an unknown type or a repeated amount is refused, and other parameters are ignored", async () => {
  const empty = await quote("");
  expectError(empty, "VALIDATION_ERROR");
  expect(empty.body.error.errors.map(({ param }: { param: string }) => param)).toEqual(["type", "amount"]);
  for (const [query, param] of [
    ["type=Fund&amount=5", "type"],
    ["type=terminate&amount=5", "type"],
    ["type=fund&amount=5&amount=6", "amount"],
  ])
    expect(fieldOf(await quote(query ?? ""))).toBe(param);
  expect((await quote("type=fund&amount=5&max_exchange_rate=1")).status).toBe(200);
});

test("a card of the other mode is not found, and a key without cards:read is refused", async () => {
  await enableLiveAreas(shop.liveMerchantId, "cards");
  const live = apiClient(app, await createApiKey(byOperator(shop.liveCtx), { name: "live" }));
  expectError(await live.get(`${CARDS}/${card.id}/quote?type=fund&amount=5`), "RESOURCE_NOT_FOUND");
  const reader = apiClient(app, await createApiKey(byOperator(shop.ctx), { name: "wallet", permissions: ["wallet:read"] }));
  expectError(await reader.get(`${CARDS}/${card.id}/quote?type=fund&amount=5`), "PERMISSION_DENIED");
});

test("without a valid rate, a quote says PROVIDER_UNAVAILABLE", async () => {
  await sql()`update exchange_rates set valid_until = now() - interval '1 s' where merchant_id = 'mer_platform_test'`;
  try {
    expectError(await quote("type=fund&amount=5"), "PROVIDER_UNAVAILABLE");
    expectError(await quote("type=unload&amount=5"), "PROVIDER_UNAVAILABLE");
  } finally {
    await sql()`update exchange_rates set valid_until = '2100-01-01' where merchant_id = 'mer_platform_test'`;
  }
});

test.each([
  { type: "fund", limit: "max_wallet_amount", figure: "wallet_amount", worse: 1n },
  { type: "fund", limit: "max_exchange_rate", figure: "exchange_rate", worse: 1n },
  { type: "unload", limit: "min_exchange_rate", figure: "exchange_rate", worse: -1n },
])("after the price of a $type changed beyond $limit, one key is refused five times at once, and then works once", async (each) => {
  const { type, limit, figure, worse } = each;
  await shiftRates(0n);
  const promised = (await quote(`type=${type}&amount=5`)).body.data[figure];
  const key = keyed(`${type}-${limit}`);
  const before = { wallet: await walletNow(), operations: await operationsNow() };
  await shiftRates(worse);
  const answers = await Promise.all(times(5, () => move(type, { amount: 5, [limit]: promised }, key)));
  const refused = answers.filter(({ body }) => body.error.code === "PRICE_CHANGED");
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expectError(answer, "PRICE_CHANGED", "not_executed");
  for (const answer of answers.filter((one) => !refused.includes(one))) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
  expect({ wallet: await walletNow(), operations: await operationsNow() }).toEqual(before);

  const present = (await quote(`type=${type}&amount=5`)).body.data;
  const body = { amount: 5, [limit]: present[figure] };
  const retries = await Promise.all(times(5, () => move(type, body, key)));
  for (const answer of retries) if (answer.status >= 300) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
  // A replay presents the operation, whatever the price is by then.
  await shiftRates(5n * worse);
  const replay = await move(type, body, key);
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  expect(replay.body.data).toMatchObject({
    status: "completed",
    exchange_rate: present.exchange_rate,
    wallet_amount: present.wallet_amount,
  });
  expect(await operationsNow()).toBe(before.operations + 1);
  const sign = type === "fund" ? -1 : 1;
  expect((await walletNow()).balance).toBe(before.wallet.balance + sign * present.wallet_amount);
  await expectBooksToAgree(shop);
});
