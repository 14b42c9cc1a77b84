import { beforeAll, describe, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { bindProvider } from "#services/merchants/index.ts";
import { anOperator, byOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { setPayoutFee, setPayoutRules } from "#services/payouts/index.ts";
import { aBankAccount, aPayoutMerchant, chosenRules, orderPayoutFault, ordersAt } from "#services/payouts/payouts.fixture.ts";
import { aMemberWithPassword } from "#services/users/users.fixture.ts";
import { walletOf } from "#services/vtu/vtu.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { times, until } from "#testing/until.ts";
import { type Api, keyed } from "../api.fixture.ts";

withPaystack();
withDatabase();
const app = withApp();

const PAYOUTS = "/api/v1/payouts";
let asked = 0;
/** A key that no other request of this file has. */
const fresh = () => keyed(`payout-${++asked}`);

/** Returns a merchant whose key may pay out, with its client. */
async function aPayingMerchant(wallet = 1_000_000): Promise<{ shop: TestMerchant; api: Api }> {
  const shop = await aPayoutMerchant({ wallet });
  await sql()`update api_keys set permissions = array_append(permissions, 'payouts:write') where public_key = ${shop.key.publicKey}`;
  return { shop, api: apiClient(app, shop.key) };
}

let shop: TestMerchant;
let api: Api;
let account: string;
beforeAll(async () => {
  ({ shop, api } = await aPayingMerchant());
  account = await aBankAccount(shop);
  await setPayoutFee(anOperator, shop.merchant, { flat: 5_000n, bps: 0, minimum: 0n, maximum: null });
});

const body = (changes: object = {}) => ({ amount: 1_000, bank_account_id: account, ...changes });

describe("POST /api/v1/payouts", () => {
  test("pays once, and shows the account masked, in the answer, the list and the event", async () => {
    const [full] = await sql()<{ account_number: string }[]>`select account_number from bank_accounts where id = ${account}`;
    const answer = await api.post(PAYOUTS, body({ narration: "Week 47", metadata: { run: "47" } }), fresh());
    expect(answer.status).toBe(200);
    const { data } = answer.body;
    expect(data).toMatchObject({
      ...{ amount: 1_000, fee: 50, total: 1_050, currency: "NGN", status: "paid", narration: "Week 47", metadata: { run: "47" } },
      ...{ failure_reason: null, bank_account: { id: account, account_number: `******${full?.account_number.slice(-4)}` } },
    });
    expect((await api.get(`${PAYOUTS}/${data.id}`)).body).toEqual(answer.body);
    expect((await api.get(`${PAYOUTS}/${data.reference}`)).body).toEqual(answer.body);
    const listed = await api.get(`${PAYOUTS}?status=paid&bank_account_id=${account}`);
    expect(listed.body.data).toEqual([data]);
    const events = await api.get("/api/v1/events?type=payout.paid");
    expect(events.body.data[0].data).toMatchObject({ id: data.id, status: "paid" });
    for (const each of [answer, listed, events, await api.get("/api/v1/bank-accounts")]) {
      expect(JSON.stringify(each.body)).not.toContain(full?.account_number);
    }
    expect(await app.wholeLog()).not.toContain(full?.account_number);
  });

  test("five times at once with one key makes one payout, and a replay shows it as it is now", async () => {
    const { shop, api } = await aPayingMerchant();
    const order = body({ bank_account_id: await aBankAccount(shop, "5555") });
    const key = fresh();
    const answers = await Promise.all(times(5, () => api.post(PAYOUTS, order, key)));
    for (const answer of answers) if (answer.status >= 400) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
    const ids = new Set(answers.flatMap(({ status, body }) => (status < 300 ? [body.data.id] : [])));
    expect(ids.size).toBe(1);
    await until(async () => (await api.get(`${PAYOUTS}/${[...ids][0]}`)).body.data.status === "reversed");
    const replay = await api.post(PAYOUTS, order, key);
    expect(replay.body.data).toMatchObject({ id: [...ids][0], status: "reversed", failure_reason: "The bank sent it back." });
    expect(await ordersAt(shop)).toBe(1);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 1_000_000_00n, held: 0n });
    expectError(await api.post(PAYOUTS, { ...order, amount: 2_000 }, key), "IDEMPOTENCY_KEY_REUSED");
    await expectInvariantsToHold();
  });

  test("five times at once with five keys pays no more than the wallet has", async () => {
    const { shop, api } = await aPayingMerchant(2_500);
    const order = body({ bank_account_id: await aBankAccount(shop) });
    const answers = await Promise.all(times(5, () => api.post(PAYOUTS, order, fresh())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const answer of answers) if (answer.status >= 400) expectError(answer, "INSUFFICIENT_BALANCE");
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 500_00n, held: 0n });
    await expectInvariantsToHold();
  });

  test("without an Idempotency-Key is refused, and nothing is paid", async () => {
    const before = await ordersAt(shop);
    const answer = await api.post(PAYOUTS, body());
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("Idempotency-Key");
    expect(await ordersAt(shop)).toBe(before);
  });

  test.each<[string, object, string]>([
    ["₦99.99", { amount: 99.99 }, "amount"],
    ["more than ten million", { amount: 10_000_000.01 }, "amount"],
    ["half a kobo", { amount: 100.005 }, "amount"],
    ["an amount as text", { amount: "1000" }, "amount"],
    ["no account", { bank_account_id: undefined }, "bank_account_id"],
    ["an account that is a number", { bank_account_id: 7 }, "bank_account_id"],
    ["a narration of 51 characters", { narration: "x".repeat(51) }, "narration"],
    ["an unknown field", { account_number: "0123456789" }, "account_number"],
  ])("with %s is refused, and the answer names the field", async (_what, changes, param) => {
    const answer = await api.post(PAYOUTS, body(changes), fresh());
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe(param);
  });

  test("is refused to keys without the permission, which no key has by default, and to sessions", async () => {
    const plain = await createApiKey(byOperator(shop.ctx), { name: "Default" });
    expect(plain.permissions).not.toContain("payouts:write");
    expectError(await apiClient(app, plain).post(PAYOUTS, body(), fresh()), "PERMISSION_DENIED");
    const page = pageClient(app, await aMember(shop.merchant.businessId, "owner"), shop.merchant.id);
    expectError(await page("POST", PAYOUTS, { body: body() }), "PERMISSION_DENIED");
  });

  test("finds neither accounts nor payouts of another merchant", async () => {
    const { api: other } = await aPayingMerchant();
    const { body: made } = await api.post(PAYOUTS, body(), fresh());
    expectError(await other.post(PAYOUTS, body(), fresh()), "RESOURCE_NOT_FOUND");
    expectError(await other.get(`${PAYOUTS}/${made.data.id}`), "RESOURCE_NOT_FOUND");
    expect((await other.get(PAYOUTS)).body.data).toEqual([]);
    expect((await other.get("/api/v1/bank-accounts")).body.data).toEqual([]);
    expectError(await api.get(`${PAYOUTS}/po_unknown`), "RESOURCE_NOT_FOUND");
  });

  test("in live mode with an account of test mode finds none", async () => {
    const live = { ...shop.ctx, merchant: { ...shop.merchant, id: shop.liveMerchantId, mode: "live" as const } };
    await bindProvider(anOperator, shop.liveMerchantId, "bank", "paystack");
    const key = await createApiKey(byOperator(live), { name: "Live", permissions: ["payouts:write", "wallet:read"] });
    expectError(await apiClient(app, key).post(PAYOUTS, body(), fresh()), "RESOURCE_NOT_FOUND");
    expect((await apiClient(app, key).get("/api/v1/bank-accounts")).body.data).toEqual([]);
  });

  test("above the business's limits answers LIMIT_EXCEEDED, also where two people are wanted", async () => {
    const { shop, api } = await aPayingMerchant();
    const order = body({ bank_account_id: await aBankAccount(shop) });
    await setPayoutRules(byOperator(shop.ctx), chosenRules({ maxAmount: naira(999) }));
    expectError(await api.post(PAYOUTS, order, fresh()), "LIMIT_EXCEEDED");
    await aMember(shop.merchant.businessId, "admin");
    await setPayoutRules(byOperator(shop.ctx), chosenRules({ twoPeopleAbove: naira(999) }));
    expectError(await api.post(PAYOUTS, order, fresh()), "LIMIT_EXCEEDED");
    expect((await api.get(`${PAYOUTS}/quote?amount=1000`)).body.data.needs_second_person).toBe(true);
  });

  test("answers 202 while the bank has not decided, and 200 for a payout that it refused", async () => {
    const { shop, api } = await aPayingMerchant();
    const [slow, closed] = [await aBankAccount(shop, "1111"), await aBankAccount(shop, "0000")];
    const processing = await api.post(PAYOUTS, body({ bank_account_id: slow }), fresh());
    expect([processing.status, processing.body.data.status]).toEqual([202, "processing"]);
    const failed = await api.post(PAYOUTS, body({ bank_account_id: closed }), fresh());
    expect([failed.status, failed.body.data.status, failed.body.data.failure_reason]).toEqual([200, "failed", "The account is closed."]);
    await until(async () => (await api.get(`${PAYOUTS}/${processing.body.data.id}`)).body.data.status === "paid");
  });

  test("whose answer is lost at the bank answers 202, and its replay orders nothing", async () => {
    const { shop, api } = await aPayingMerchant();
    const order = body({ bank_account_id: await aBankAccount(shop) });
    await orderPayoutFault("sandbox", "pay", "error_after");
    const key = fresh();
    const first = await api.post(PAYOUTS, order, key);
    expect(first.status).toBe(202);
    const replay = await api.post(PAYOUTS, order, key);
    expect(replay.body.data.id).toBe(first.body.data.id);
    expect(await ordersAt(shop)).toBe(1);
  });
});

describe("GET /api/v1/payouts/quote", () => {
  test("says the price, and what would be left", async () => {
    const before = await walletOf(shop.merchant.id);
    const { body } = await api.get(`${PAYOUTS}/quote?amount=1000`);
    expect(body.data).toMatchObject({ amount: 1_000, fee: 50, total: 1_050, needs_second_person: false });
    expect(body.data.available_after).toBe(Number(before.balance) / 100 - 1_050);
    expect(body.data.payable).toBe(Number(before.balance) / 100);
  });

  test.each(["", "?amount=99.99", "?amount=x", "?amount=10000000.01"])("refuses the query %j", async (query) => {
    const answer = await api.get(`${PAYOUTS}/quote${query}`);
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("amount");
  });
});

test("GET /api/v1/banks lists the banks of the merchant's provider, with their codes", async () => {
  const { body } = await api.get("/api/v1/banks");
  expect(body.data).toContainEqual({ code: "00A", name: "Harbour Bank (test)" });
});

describe("lists of payouts", () => {
  test("page by a cursor without gaps, and filter by status and time", async () => {
    const { shop, api } = await aPayingMerchant();
    const order = body({ bank_account_id: await aBankAccount(shop) });
    for (let i = 0; i < 5; i++) await api.post(PAYOUTS, order, fresh());
    const first = (await api.get(`${PAYOUTS}?limit=3`)).body;
    const rest = (await api.get(`${PAYOUTS}?limit=3&cursor=${first.pagination.next_cursor}`)).body;
    const ids = [...first.data, ...rest.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(5);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const ago = new Date(Date.now() - 60_000).toISOString();
    expect((await api.get(`${PAYOUTS}?created_before=${ago}`)).body.data).toEqual([]);
    expect((await api.get(`${PAYOUTS}?status=failed`)).body.data).toEqual([]);
    expectError(await api.get(`${PAYOUTS}?status=gone`), "VALIDATION_ERROR");
  });
});

describe("a member's payout, in the dashboard", () => {
  test("names what it was shown to cost, and another price is refused with nothing paid", async () => {
    const { shop } = await aPayingMerchant();
    const page = pageClient(app, await aMemberWithPassword(shop.merchant.businessId, "owner"), shop.merchant.id);
    const order = { amount: 1_000, bank_account_id: await aBankAccount(shop) };
    const send = (expected_total: number) =>
      page("POST", "/api/dashboard/payouts", {
        body: { ...order, expected_total },
        changes: { "Idempotency-Key": `member-${expected_total}` },
      });
    expectError(await send(1_001), "PRICE_CHANGED");
    expect(await ordersAt(shop)).toBe(0);
    expect((await send(1_000)).body.data.status).toBe("paid");
  });

  test("in live mode is refused without two-step sign-in", async () => {
    const member = await aMemberWithPassword(shop.merchant.businessId, "owner");
    const page = pageClient(app, member, shop.liveMerchantId);
    const answer = await page("POST", "/api/dashboard/payouts", {
      body: { ...body(), expected_total: 1_000, password: "seven lorries of ripe plantain" },
      changes: { "Idempotency-Key": "live-without-factor" },
    });
    expectError(answer, "PERMISSION_DENIED");
    expect(answer.body.error.message).toContain("two-step sign-in");
  });

  test.each(["viewer", "support", "developer"] as const)("is refused to a %s of live mode", async (role) => {
    const page = pageClient(app, await aMember(shop.merchant.businessId, role), shop.liveMerchantId);
    expectError(await page("POST", "/api/dashboard/payouts", { body: body() }), "PERMISSION_DENIED");
  });
});
