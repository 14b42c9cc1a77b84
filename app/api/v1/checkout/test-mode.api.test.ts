import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { aMerchant, byOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
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

describe("test mode", () => {
  test("simulates underpaid, overpaid, exact and duplicate transfers, and the exact one alone credits the wallet", async () => {
    const own = await aMerchant();
    const client = apiClient(app, own.key);
    const { reference } = (await client.post(CREATE, { amount: 5_000 })).body;
    await client.post(transferTo(reference), { amount: 4_000 });
    await client.post(transferTo(reference), { amount: 6_000, sender_name: "Bola" });
    expect((await client.get("/api/v1/wallet")).body.data.balance).toBe(0);
    await client.post(transferTo(reference), { session_id: "s-1" });
    await client.post(transferTo(reference), { session_id: "s-1" });
    const { body } = await client.post(transferTo(reference));
    expect(body.transfers.map(({ classification }: { classification: string }) => classification)).toEqual([
      "underpaid",
      "overpaid",
      "exact",
      "duplicate",
    ]);
    expect(body.transfers[1]).toMatchObject({ sender_name: "Bola", disposition: "returned", amount: 6_000 });
    expect((await client.get("/api/v1/wallet")).body.data).toEqual({ currency: "NGN", balance: 5_000, available: 5_000, held: 0, owed: 0 });
    const history = (await client.get("/api/v1/wallet/transactions")).body.data;
    expect(history).toMatchObject([{ type: "payment_link", direction: "credit", amount: 5_000, balance_after: 5_000, reference }]);
    await expectInvariantsToHold();
  });

  test("expires a link at once: money that was sent before still pays it, and money that is sent later is late", async () => {
    const [inTime, late] = [await create(api), await create(api)];
    const madeAt = inTime.created_at;
    for (const { reference } of [inTime, late]) expect((await api.post(expiryOf(reference))).body.status).toBe("expired");
    expect((await api.post(transferTo(inTime.reference), { made_at: madeAt })).body.status).toBe("success");
    const after = (await api.post(transferTo(late.reference))).body;
    expect(after).toMatchObject({ status: "expired", transfers: [{ classification: "late", disposition: "returned" }] });
    const paid = await api.post(expiryOf(inTime.reference));
    expect(paid.body.status).toBe("success");
  });

  test("refuses a transfer from the future or from before the link", async () => {
    const { reference } = await create(api);
    for (const made_at of [new Date(Date.now() + MINUTE_MS).toISOString(), "2020-01-01T00:00:00Z", "noon"]) {
      expectError(await api.post(transferTo(reference), { made_at }), "VALIDATION_ERROR");
    }
    expectError(await api.post(transferTo("0".repeat(26))), "RESOURCE_NOT_FOUND");
    const other = apiClient(app, (await aMerchant()).key);
    expectError(await other.post(transferTo(reference)), "RESOURCE_NOT_FOUND");
    expectError(await other.post(expiryOf(reference)), "RESOURCE_NOT_FOUND");
  });

  test("refuses a session_id that another transfer has, and the link can still be paid", async () => {
    const [one, two] = [await create(api), await create(api)];
    await api.post(transferTo(one.reference), { session_id: "twice" });
    const answer = await api.post(transferTo(two.reference), { session_id: "twice" });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("session_id");
    expectError(await api.post(transferTo(one.reference), { session_id: "twice", amount: 1 }), "VALIDATION_ERROR");
    expect((await api.post(transferTo(two.reference))).body.status).toBe("success");
  });

  test("makes one transfer for one Idempotency-Key that is sent five times at once", async () => {
    const own = await aMerchant();
    const client = apiClient(app, own.key);
    const { reference } = (await client.post(CREATE, { amount: 5_000 })).body;
    await Promise.all(times(5, () => client.post(transferTo(reference), {}, keyed("pay"))));
    expect((await client.get(statusOf(reference))).body.transfers).toHaveLength(1);
    await expectInvariantsToHold();
  });

  test("credits once for a transfer that the bank reports ten times, late and after a later transfer", async () => {
    const own = await aMerchant();
    const client = apiClient(app, own.key);
    const { reference } = (await client.post(CREATE, { amount: 5_000 })).body;
    const [account] = await sql()<{ account_number: string }[]>`select account_number from payment_links where reference = ${reference}`;
    const transfer = (session: string, more: Record<string, unknown>) =>
      askSandbox(app, "transfers", {
        session,
        account_no: account?.account_number,
        kobo: String(naira(5_000).minor),
        from: "x",
        made_at: null,
        ...more,
      });
    // The delay is so long that the second transfer is read first, also on a slow machine.
    await transfer("first", { copies: 10, delay_ms: 5_000 });
    await transfer("second", {});
    const before = (await client.get(statusOf(reference))).body;
    expect(before.transfers).toMatchObject([{ session_id: "second", classification: "duplicate", disposition: "returned" }]);
    const paid = await until(async () => {
      const { body } = await client.get(statusOf(reference));
      return body.status === "success" ? body : undefined;
    });
    expect(paid.transfers).toHaveLength(2);
    await until(
      async () => (await sql()`select 1 from sandbox.notices where acknowledged_at is null and notice_id = 'ntc_first'`).length === 0,
    );
    expect((await client.get("/api/v1/wallet")).body.data.balance).toBe(5_000);
    await expectInvariantsToHold();
  });
});

describe("live mode", () => {
  test("without a bank says whom to ask, and has no test endpoints", async () => {
    await enableLiveAreas(shop.liveMerchantId, "checkout");
    const key = await createApiKey(byOperator(shop.liveCtx), { name: "live" });
    const live = apiClient(app, key);
    const answer = await live.post(CREATE, { amount: 5_000 });
    expectError(answer, "PROVIDER_UNAVAILABLE");
    expect(answer.body.error.message).toMatch(/^Live mode has no .* Ask the operator of this service\.$/);
    expectError(await live.post(CREATE, { amount: 5_000, callback_url: "http://shop.example" }), "VALIDATION_ERROR");
    const { reference } = await create(api);
    expectError(await live.get(statusOf(reference)), "RESOURCE_NOT_FOUND");
    expectError(await live.post(transferTo(reference), { nonsense: true }), "RESOURCE_NOT_FOUND");
    expectError(await live.post(expiryOf(reference)), "RESOURCE_NOT_FOUND");
  });

  test("cannot be bound to the sandbox: constraints refuse it", async () => {
    const bind = sql()`insert into merchant_providers (merchant_id, mode, kind, provider) values (${shop.liveMerchantId}, 'live', 'bank', 'sandbox')`;
    await expect(bind).rejects.toThrow(/merchant_providers_no_sandbox_in_live/);
    const lie = sql()`insert into merchant_providers (merchant_id, mode, kind, provider) values (${shop.liveMerchantId}, 'test', 'bank', 'sandbox')`;
    await expect(lie).rejects.toThrow(/merchant_providers_mode_fkey/);
  });
});
