import { beforeAll, describe, expect, test } from "vitest";
import { naira } from "#lib/money.ts";
import { addToWallet } from "#services/cards/cards.fixture.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { aPhone, aVtuMerchant, walletOf } from "#services/vtu/vtu.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { type Api, keyed } from "../api.fixture.ts";
import { airtimeBody, examBody, readProductIds, VTU } from "./vtu-api.fixture.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let api: Api;
beforeAll(async () => {
  shop = await aVtuMerchant();
  api = apiClient(app, shop.key);
  await readProductIds();
});

describe("the same order", () => {
  test("sent five times at once with one Idempotency-Key is bought once", async () => {
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
    expect((await walletOf(shop.merchant.id)).balance).toBe(before.balance - naira(250).minor);
  });

  test("sent five times at once without a key is bought once, and is bought again with a new key or allow_duplicate", async () => {
    const body = airtimeBody();
    const answers = await Promise.all(times(5, () => api.post(`${VTU}/airtime`, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectError(answer, "DUPLICATE_PURCHASE");
    expect((await api.post(`${VTU}/airtime`, body, keyed("meant"))).status).toBe(200);
    expect((await api.post(`${VTU}/airtime`, { ...body, allow_duplicate: true })).status).toBe(200);
    const pins = await Promise.all(times(2, () => api.post(`${VTU}/exam`, examBody())));
    expect(pins.map(({ status }) => status)).toEqual([200, 200]);
  });

  test("an order refused for lack of money takes none, and its key buys it after a top-up", async () => {
    const poor = await aVtuMerchant({ wallet: 50 });
    const client = apiClient(app, poor.key);
    const body = airtimeBody();
    expectError(await client.post(`${VTU}/airtime`, body, keyed("poor")), "INSUFFICIENT_BALANCE");
    expect(await walletOf(poor.merchant.id)).toEqual({ balance: naira(50).minor, held: 0n });
    expect((await client.post(`${VTU}/airtime`, airtimeBody({ amount: 50 }))).status).toBe(200);
    await addToWallet(poor, naira(100));
    expect((await client.post(`${VTU}/airtime`, body, keyed("poor"))).status).toBe(200);
  });

  test("is replayed as the purchase is now, with the first HTTP status", async () => {
    const body = airtimeBody({ phone: aPhone("1111") });
    const first = await api.post(`${VTU}/airtime`, body, keyed("later"));
    expect(first.status).toBe(202);
    await until(
      async () => (await api.get(`${VTU}/transaction/status?reference=${first.body.data.reference}`)).body.data.status === "success",
    );
    const again = await api.post(`${VTU}/airtime`, body, keyed("later"));
    expect([again.status, again.body.data.status]).toEqual([202, "success"]);
  });
});
