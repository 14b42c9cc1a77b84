import { beforeAll, describe, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { type Api, keyed } from "#app/api/v1/api.fixture.ts";
import { sql } from "#db/client.ts";
import { createApiKey } from "#services/api-keys/index.ts";
import { aLink } from "#services/checkout/checkout.fixture.ts";
import { accountToken } from "#services/checkout/refunds/account-link.ts";
import { aPaidLink, aWaitingRefund, refundNow, refundOrdersAt } from "#services/checkout/refunds/refunds.fixture.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { bindProvider, switchArea } from "#services/merchants/index.ts";
import { aMerchant, anOperator, byOperator, enableLiveAreas, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { anAccountNumber } from "#services/payouts/payouts.fixture.ts";
import { aMemberWithPassword } from "#services/users/users.fixture.ts";
import { walletOf } from "#services/vtu/vtu.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { times, until } from "#testing/until.ts";

withPaystack();
withDatabase();
const app = withApp();

const REFUNDS = "/api/v1/checkout/refunds";
let asked = 0;
/** A key that no other request of this file has. */
const fresh = () => keyed(`refund-${++asked}`);

/** Returns a merchant whose key may refund, with its client. */
async function aRefundingMerchant(bank: "sandbox" | "sandbox-plain" = "sandbox"): Promise<{ shop: TestMerchant; api: Api }> {
  const shop = await aMerchant({ bank });
  await sql()`update api_keys set permissions = array_append(permissions, 'refunds:write') where public_key = ${shop.key.publicKey}`;
  return { shop, api: apiClient(app, shop.key) };
}

let shop: TestMerchant;
let api: Api;
beforeAll(async () => {
  ({ shop, api } = await aRefundingMerchant());
});

describe("POST /api/v1/checkout/refunds", () => {
  test("refunds a part once, and shows it in the answer, the reads, the list, the event, the status and the timeline", async () => {
    const { reference } = await aPaidLink(shop);
    const answer = await api.post(REFUNDS, { reference, amount: 1_500, reason: "Torn" }, fresh());
    expect(answer.status).toBe(200);
    const { success, ...refund } = answer.body;
    expect(success).toBe(true);
    expect(refund).toMatchObject({
      ...{ payment_reference: reference, amount: 1_500, currency: "NGN", status: "paid", waits_for: null, account: null },
      ...{ reason: "Torn", failure_reason: null },
    });
    expect((await api.get(`${REFUNDS}/${refund.id}`)).body).toEqual(answer.body);
    expect((await api.get(`${REFUNDS}/${refund.reference}`)).body).toEqual(answer.body);
    expect((await api.get(`${REFUNDS}?payment_reference=${reference}`)).body).toMatchObject({ success: true, data: [refund] });
    expect((await api.get(`${REFUNDS}?payment_reference=${reference}&status=failed`)).body.data).toEqual([]);
    expect((await api.get(`/api/v1/checkout/status?reference=${reference}`)).body).toMatchObject({
      status: "success",
      refunded_amount: 1_500,
    });
    const { body: timeline } = await api.get(`/api/v1/checkout/timeline?reference=${reference}`);
    expect(timeline.data).toContainEqual({ type: "refund", at: refund.paid_at, amount: 1_500, status: "paid" });
    const events = await api.get("/api/v1/events?type=checkout.refund_paid");
    expect(events.body.data.at(-1).data).toEqual(refund);
    const { body: history } = await api.get("/api/v1/wallet/transactions?type=refund");
    expect(history.data[0]).toMatchObject({ direction: "debit", amount: 1_500, related: { type: "refund", id: refund.id, reference } });
  });

  test("five times at once with one key makes one refund, and a replay shows it as it is now", async () => {
    const { shop, api } = await aRefundingMerchant();
    const { reference } = await aPaidLink(shop, { senderAccount: "0123455555" });
    const key = fresh();
    const answers = await Promise.all(times(5, () => api.post(REFUNDS, { reference, amount: 2_000 }, key)));
    for (const answer of answers) if (answer.status >= 400) expectError(answer, "REQUEST_IN_PROGRESS", "unknown");
    const ids = new Set(answers.flatMap(({ status, body }) => (status < 300 ? [body.id] : [])));
    expect(ids.size).toBe(1);
    await until(async () => (await api.get(`${REFUNDS}/${[...ids][0]}`)).body.status === "reversed");
    expect((await api.post(REFUNDS, { reference, amount: 2_000 }, key)).body).toMatchObject({ id: [...ids][0], status: "reversed" });
    expect(await refundOrdersAt(shop)).toBe(1);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 5_000_00n, held: 0n });
    expectError(await api.post(REFUNDS, { reference, amount: 2_001 }, key), "IDEMPOTENCY_KEY_REUSED");
    await expectInvariantsToHold();
  });

  test("five times at once with five keys refunds no more than came", async () => {
    const { shop, api } = await aRefundingMerchant();
    const { reference } = await aPaidLink(shop);
    const answers = await Promise.all(times(5, () => api.post(REFUNDS, { reference, amount: 2_000 }, fresh())));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    for (const answer of answers) if (answer.status >= 400) expectError(answer, "VALIDATION_ERROR");
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 1_000_00n, held: 0n });
    await expectInvariantsToHold();
  });

  test("without an Idempotency-Key is refused, and nothing is refunded", async () => {
    const { reference } = await aPaidLink(shop);
    const before = await refundOrdersAt(shop);
    const answer = await api.post(REFUNDS, { reference });
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe("Idempotency-Key");
    expect(await refundOrdersAt(shop)).toBe(before);
  });

  test.each<[string, object, string]>([
    ["99 kobo", { amount: 0.99 }, "amount"],
    ["more than the payment", { amount: 5_000.01 }, "amount"],
    ["half a kobo", { amount: 100.005 }, "amount"],
    ["an amount as text", { amount: "1000" }, "amount"],
    ["no reference", { reference: undefined }, "reference"],
    ["a reference that is a number", { reference: 7 }, "reference"],
    ["a reason of 201 characters", { reason: "x".repeat(201) }, "reason"],
    ["an account", { account_number: "0123456789" }, "account_number"],
  ])("with %s is refused, and the answer names the field", async (_what, changes, param) => {
    const { reference } = await aPaidLink(shop);
    const answer = await api.post(REFUNDS, { reference, ...changes }, fresh());
    expectError(answer, "VALIDATION_ERROR");
    expect(answer.body.error.param).toBe(param);
  });

  test("is refused to keys without the permission, which no key has by default, and to sessions", async () => {
    const { reference } = await aPaidLink(shop);
    const plain = await createApiKey(byOperator(shop.ctx), { name: "Default" });
    expect(plain.permissions).not.toContain("refunds:write");
    expectError(await apiClient(app, plain).post(REFUNDS, { reference }, fresh()), "PERMISSION_DENIED");
    const page = pageClient(app, await aMember(shop.merchant.businessId, "owner"), shop.merchant.id);
    expectError(await page("POST", REFUNDS, { body: { reference } }), "PERMISSION_DENIED");
  });

  test("finds neither links nor refunds of another merchant or the other mode, and nothing while the area is off", async () => {
    const { shop: elsewhere, api: other } = await aRefundingMerchant();
    const { reference } = await aPaidLink(shop);
    const { body: made } = await api.post(REFUNDS, { reference, amount: 100 }, fresh());
    expectError(await other.post(REFUNDS, { reference }, fresh()), "RESOURCE_NOT_FOUND");
    expectError(await other.get(`${REFUNDS}/${made.id}`), "RESOURCE_NOT_FOUND");
    expect((await other.get(`${REFUNDS}?payment_reference=${reference}`)).body.data).toEqual([]);
    expect((await other.get(REFUNDS)).body.data).toEqual([]);
    const live = { ...shop.ctx, merchant: { ...shop.merchant, id: shop.liveMerchantId, mode: "live" as const } };
    await bindProvider(anOperator, shop.liveMerchantId, "bank", "paystack");
    await enableLiveAreas(shop.liveMerchantId, "checkout");
    const key = await createApiKey(byOperator(live), { name: "Live", permissions: ["refunds:write", "checkout:read"] });
    expectError(await apiClient(app, key).post(REFUNDS, { reference }, fresh()), "RESOURCE_NOT_FOUND");
    await switchArea(anOperator, elsewhere.merchant.id, "checkout", false);
    await until(async () => (await other.get(REFUNDS)).status === 403);
    expectError(await other.post(REFUNDS, { reference }, fresh()), "SERVICE_NOT_ENABLED");
  });

  test("of an unpaid link, beyond the wallet, or while suspended answers as the contract says", async () => {
    const { shop, api } = await aRefundingMerchant();
    expectError(await api.post(REFUNDS, { reference: (await aLink(shop)).reference }, fresh()), "VALIDATION_ERROR");
    const { reference } = await aPaidLink(shop);
    await sql()`update merchants set status = 'suspended' where id = ${shop.merchant.id}`;
    expectError(await api.post(REFUNDS, { reference }, fresh()), "MERCHANT_SUSPENDED");
    expect((await api.get(REFUNDS)).status).toBe(200);
  });
});

describe("a refund that needs an account", () => {
  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${app.url}${path}`, {
      ...{ method: "POST", redirect: "manual", body: new URLSearchParams(fields) },
      headers: { Origin: app.url, "Sec-Fetch-Site": "same-origin" },
    });
  const locationOf = (answer: Response) => new URL(answer.headers.get("location") ?? "", app.url);

  test("answers 202, and is sent to the account that the customer names by two forms, whose number is in no log and no answer", async () => {
    const { shop, api } = await aRefundingMerchant("sandbox-plain");
    const link = await aPaidLink(shop);
    const answer = await api.post(REFUNDS, { reference: link.reference }, fresh());
    expect([answer.status, answer.body.status, answer.body.waits_for]).toEqual([202, "needs_account", "customer"]);
    const token = accountToken({ merchantId: shop.merchant.id, id: answer.body.id });
    await sql()`update bank_transfers set sender_name = 'ACCOUNT 4417 TEST' where merchant_id = ${shop.merchant.id}`;
    const account = anAccountNumber("4417");
    const named = await send("/refund-account/name", { token, bank_code: "00A", account_number: account });
    expect(named.status).toBe(303);
    const checking = locationOf(named);
    expect(checking.href).not.toContain(account);
    const given = await send("/refund-account/give", { token, account: checking.searchParams.get("account") ?? "" });
    expect([given.status, locationOf(given).searchParams.get("account")]).toEqual([303, null]);
    const { body: after } = await api.get(`${REFUNDS}/${answer.body.id}`);
    expect(after).toMatchObject({ status: "processing", waits_for: null, account: { account_number: `******${account.slice(-4)}` } });
    expect(JSON.stringify([after, await api.get("/api/v1/events")])).not.toContain(account);
    expect(await app.wholeLog()).not.toContain(account);
    expect(await app.wholeLog()).not.toContain(token);
    // Once.
    const again = await send("/refund-account/name", { token, bank_code: "00A", account_number: anAccountNumber() });
    expect(locationOf(again).searchParams.get("account")).toBeNull();
  });

  test("takes no form of another site, no broken token and no broken account", async () => {
    const { shop } = await aRefundingMerchant("sandbox-plain");
    const { refund, token } = await aWaitingRefund(shop, await aPaidLink(shop));
    const foreign = await fetch(`${app.url}/refund-account/name`, {
      ...{ method: "POST", redirect: "manual", body: new URLSearchParams({ token, bank_code: "00A", account_number: anAccountNumber() }) },
      headers: { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    });
    expect(foreign.status).toBe(403);
    for (const fields of [
      { token: "x".repeat(40), account: "y" },
      { token, account: "v1.a.b" },
      { token, account: "" },
    ])
      expect((await send("/refund-account/give", fields)).status).toBe(303);
    expect((await refundNow(refund)).accountNumber).toBeNull();
  });

  test("is confirmed by an owner alone, and cancelled by who may refund", async () => {
    const { shop } = await aRefundingMerchant("sandbox-plain");
    const { refund } = await aWaitingRefund(shop, await aPaidLink(shop));
    const clientOf = async (role: "owner" | "admin" | "support") =>
      pageClient(app, await aMemberWithPassword(shop.merchant.businessId, role), shop.merchant.id);
    const [owner, admin, support] = [await clientOf("owner"), await clientOf("admin"), await clientOf("support")];
    const path = `/api/dashboard/refunds/${refund.id}`;
    expectError(await admin("POST", `${path}/confirm`, { body: {} }), "PERMISSION_DENIED");
    expectError(await support("POST", `${path}/cancel`), "PERMISSION_DENIED");
    // It waits for the customer.
    expectError(await owner("POST", `${path}/confirm`, { body: {} }), "VALIDATION_ERROR");
    expect((await admin("POST", `${path}/cancel`)).body).toMatchObject({
      success: true,
      status: "failed",
      failure_reason: "It was cancelled.",
    });
    await expectInvariantsToHold();
  });
});

test("members refund in test mode without a proof, once for a double click", async () => {
  const link = await aPaidLink(shop);
  const page = pageClient(app, await aMemberWithPassword(shop.merchant.businessId, "admin"), shop.merchant.id);
  const headers = { "Idempotency-Key": `page-${link.id}` };
  const sent = await Promise.all(
    times(2, () => page("POST", "/api/dashboard/refunds", { body: { reference: link.reference, amount: 700 }, changes: headers })),
  );
  expect(sent.filter(({ status }) => status < 300).length).toBeGreaterThan(0);
  const { body } = await api.get(`${REFUNDS}?payment_reference=${link.reference}`);
  expect(body.data).toHaveLength(1);
});
