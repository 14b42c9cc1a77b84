import { beforeEach, describe, expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { createApiKey } from "../api-keys/create-api-key.ts";
import { alertOnEndingKeys, rollApiKey } from "../api-keys/index.ts";
import { decidedByTwo } from "../approved.fixture.ts";
import { aLink, hear, noticeOf } from "../checkout/checkout.fixture.ts";
import { systemContext } from "../context.ts";
import { alertOnEndingRates, setRate } from "../exchange/index.ts";
import {
  alertOnLowBalances,
  mustPost,
  RECEIVABLE,
  SETTLEMENT_BANK,
  SUSPENSE,
  setBalanceLimit,
  type Transfer,
  WALLET,
} from "../ledger/index.ts";
import { fund, post, spend } from "../ledger/ledger.fixture.ts";
import { alertTypesOf } from "../member-mails/index.ts";
import { aMerchantWithAllRights as aMerchant, anOperator, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { settleAnswer } from "../vtu/buying/settle-answers.ts";
import { aClaimedPurchase, aVtuMerchant, DELIVERED, FAILED, settleAsRead } from "../vtu/vtu.fixture.ts";
import { alertOnFailingEndpoints } from "../webhooks/index.ts";
import { anEndpoint } from "../webhooks/webhooks.fixture.ts";
import type { AlertType } from "./contract.ts";
import { listAlerts, listOperatorAlerts, listStandaloneAlerts } from "./index.ts";

withDatabase();
withApp();

const job = systemContext("test");
const FIVE = 5;

let shop: TestMerchant;
beforeEach(async () => {
  shop = await aMerchant();
});

const alertsOf = async ({ ctx }: TestMerchant, type: AlertType) =>
  (await listAlerts(ctx, { limit: 100 })).items.filter((alert) => alert.type === type);

describe("a debt", () => {
  const charge = (key: string, amount: number): Transfer => ({
    ...{ kind: "post", key, debit: WALLET, credit: SUSPENSE, amount: naira(amount), overflow: RECEIVABLE },
  });

  test("a debt raises one alert with the missing amount, even if five retries post it at once", async () => {
    await fund(shop.merchant.id, naira(300).minor);
    await Promise.all(times(FIVE, () => mustPost(db(), shop.merchant.id, [charge("late", 500)])));
    const alerts = await alertsOf(shop, "wallet.debt");
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.message).toContain("could not cover ₦200.00");
    await expectInvariantsToHold();
  });

  test("of an empty wallet is the whole amount, and a charge that the wallet covers is no debt", async () => {
    await mustPost(db(), shop.merchant.id, [charge("empty", 500)]);
    expect((await alertsOf(shop, "wallet.debt")).map(({ message }) => message)).toEqual([expect.stringContaining("₦500.00")]);
    const other = await aMerchant();
    await fund(other.merchant.id, naira(500).minor);
    await mustPost(db(), other.merchant.id, [charge("covered", 500)]);
    expect(await alertsOf(other, "wallet.debt")).toEqual([]);
  });
});

describe("a low balance", () => {
  const sweep = () => Promise.all(times(FIVE, () => alertOnLowBalances(job)));
  const letHoursPass = (hours: number) =>
    sql()`update balance_limits set alerted_at = alerted_at - ${hours} * interval '1 hour', below_since = below_since - ${hours} * interval '1 hour'`;

  test("a low balance raises its alert although the sweep fails for another merchant, whose alert the next sweep raises", async () => {
    const broken = await aMerchant();
    for (const { ctx, merchant } of [broken, shop]) {
      await fund(merchant.id, naira(100).minor);
      await setBalanceLimit(ctx, naira(600), null);
    }
    await sql()`
      alter table balance_limits add constraint broken check (merchant_id <> ${sql().unsafe(`'${broken.merchant.id}'`)} or alerted_at is null) not valid`;
    await alertOnLowBalances(job);
    expect(await alertsOf(shop, "wallet.below_limit")).toHaveLength(1);
    expect(await alertsOf(broken, "wallet.below_limit")).toEqual([]);
    await sql()`alter table balance_limits drop constraint broken`;
    await alertOnLowBalances(job);
    expect(await alertsOf(broken, "wallet.below_limit")).toHaveLength(1);
  });

  test("a low balance raises one alert with five workers, and another only after an hour and a balance above the limit in between", async () => {
    const { id } = shop.merchant;
    await fund(id, naira(1_000).minor);
    await setBalanceLimit(shop.ctx, naira(600), null);
    await sweep();
    expect(await alertsOf(shop, "wallet.below_limit")).toEqual([]);
    await post(id, spend(naira(500).minor));
    await sweep();
    await sweep();
    const [alert, ...others] = await alertsOf(shop, "wallet.below_limit");
    expect(others).toEqual([]);
    expect(alert?.message).toContain("₦500.00 is left to spend");
    await letHoursPass(2);
    await sweep();
    expect(await alertsOf(shop, "wallet.below_limit")).toHaveLength(1);
    await fund(id, naira(500).minor);
    await sweep();
    await post(id, spend(naira(500).minor));
    await sweep();
    expect(await alertsOf(shop, "wallet.below_limit")).toHaveLength(2);
    await fund(id, naira(500).minor);
    await sweep();
    await post(id, spend(naira(500).minor));
    await sweep();
    expect(await alertsOf(shop, "wallet.below_limit")).toHaveLength(2);
    await letHoursPass(2);
    await sweep();
    expect(await alertsOf(shop, "wallet.below_limit")).toHaveLength(3);
  });

  test("a low balance is compared without the money on hold", async () => {
    const { id } = shop.merchant;
    await fund(id, naira(1_000).minor);
    await setBalanceLimit(shop.ctx, naira(600), null);
    await post(id, { kind: "hold", key: "h", debit: WALLET, credit: SETTLEMENT_BANK, amount: naira(500) });
    await sweep();
    expect(await alertsOf(shop, "wallet.below_limit")).toHaveLength(1);
  });

  test("a balance below a new limit raises an alert at once, even if it has raised one for the old limit", async () => {
    await fund(shop.merchant.id, naira(500).minor);
    await setBalanceLimit(shop.ctx, naira(600), null);
    await sweep();
    await setBalanceLimit(shop.ctx, naira(700), naira(600));
    await sweep();
    expect((await alertsOf(shop, "wallet.below_limit")).map(({ message }) => message)).toEqual([
      expect.stringContaining("₦700.00"),
      expect.stringContaining("₦600.00"),
    ]);
  });

  test("of five changes at once from the same limit one is stored, and the others are refused as conflicts", async () => {
    const results = await Promise.allSettled(times(FIVE, (n) => setBalanceLimit(shop.ctx, naira(100 + n), null)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "VERSION_CONFLICT" });
    const entries = await sql()`select from audit_entries where subject = ${shop.merchant.id} and action = 'balance_limit.changed'`;
    expect(entries).toHaveLength(1);
  });
});

test("a failing endpoint that is enabled raises one alert for each outage, after an hour", async () => {
  const endpoint = await anEndpoint(shop, "https://orders.shop.example/hook");
  const fail = (minutes: number, status = "enabled") => sql()`
    update webhook_endpoints set failing_since = now() - ${minutes} * interval '1 minute', status = ${status},
      disabled_reason = ${status === "disabled" ? "failing" : null}, disabled_at = ${status === "disabled" ? new Date().toISOString() : null}
    where id = ${endpoint.id}`;
  const sweep = () => Promise.all(times(FIVE, () => alertOnFailingEndpoints(job)));
  await fail(59);
  await sweep();
  expect(await alertsOf(shop, "webhook_endpoint.failing")).toEqual([]);
  await fail(61);
  await sweep();
  await sweep();
  expect(await alertsOf(shop, "webhook_endpoint.failing")).toMatchObject([
    { resourceId: endpoint.id, message: expect.stringContaining("orders.shop.example has not taken events since") },
  ]);
  await fail(62);
  await sweep();
  expect(await alertsOf(shop, "webhook_endpoint.failing")).toHaveLength(2);
  await fail(63, "disabled");
  await sweep();
  expect(await alertsOf(shop, "webhook_endpoint.failing")).toHaveLength(2);
});

test("a key raises one alert in its last week, and none if it was rolled, revoked, made for a few days, or ends later", async () => {
  const endsIn = (days: number) => new Date(Date.now() + days * 86_400_000);
  const make = (name: string, days: number) => createApiKey(shop.ctx, { name, permissions: ["wallet:read"], expiresAt: endsIn(days) });
  const soon = await make("Warehouse", 6);
  await make("Later", 8);
  const rolled = await make("Rolled", 3);
  // The pair that replaces it keeps the end that its maker chose.
  const { key: replacement } = await rollApiKey(shop.ctx, rolled.id, 24);
  const revoked = await make("Revoked", 3);
  await sql()`update api_keys set revoked_at = now() where id = ${revoked.id}`;
  const short = await make("Short", 6);
  await sql()`update api_keys set created_at = created_at - interval '30 days' where merchant_id = ${shop.merchant.id} and id <> ${short.id}`;
  await Promise.all(times(FIVE, () => alertOnEndingKeys(job)));
  await alertOnEndingKeys(job);
  const alerts = await alertsOf(shop, "api_key.ending");
  expect(alerts.map(({ resourceId }) => resourceId).toSorted()).toEqual([soon.id, replacement.id].toSorted());
  expect(alerts.map(({ message }) => message)).toContainEqual(expect.stringContaining("The key “Warehouse” stops working on"));
});

test("a merchant's own rate raises one alert on its last day, a replaced or short one none, and the general rate alerts operators", async () => {
  const rate = { buy: 1_500n, mid: 1_550n, sell: 1_600n };
  const alerts = () => alertsOf(shop, "exchange_rate.ending");
  await decidedByTwo((by) => setRate(by, shop.merchant.id, { ...rate, validForHours: 1 }));
  await alertOnEndingRates(job);
  expect(await alerts()).toEqual([]);
  await decidedByTwo((by) => setRate(by, shop.merchant.id, { ...rate, validForHours: 72 }));
  await sql()`update exchange_rates set valid_from = valid_from - interval '60 hours', valid_until = valid_until - interval '60 hours' where merchant_id = ${shop.merchant.id} and valid_until > now() + interval '2 days'`;
  await Promise.all(times(FIVE, () => alertOnEndingRates(job)));
  await alertOnEndingRates(job);
  expect(await alerts()).toHaveLength(1);
  const other = await aMerchant();
  await decidedByTwo((by) => setRate(by, other.merchant.id, { ...rate, validForHours: 72 }));
  await sql()`update exchange_rates set valid_from = valid_from - interval '60 hours', valid_until = valid_until - interval '60 hours' where merchant_id = ${other.merchant.id}`;
  await decidedByTwo((by) => setRate(by, other.merchant.id, { ...rate, validForHours: 72 }));
  await alertOnEndingRates(job);
  expect(await alertsOf(other, "exchange_rate.ending")).toEqual([]);
  // The next rate begins only after the first one has ended.
  await sql()`update exchange_rates set valid_from = now() + interval '20 hours' where merchant_id = ${other.merchant.id} and valid_until > now() + interval '2 days'`;
  await alertOnEndingRates(job);
  expect(await alertsOf(other, "exchange_rate.ending")).toHaveLength(1);
  await decidedByTwo((by) => setRate(by, "mer_platform_test", { ...rate, validForHours: 1_000 }));
  await sql()`update exchange_rates set valid_until = now() + interval '20 hours', valid_from = now() - interval '3 days' where merchant_id = 'mer_platform_test'`;
  await alertOnEndingRates(job);
  expect((await listOperatorAlerts(anOperator)).filter(({ type }) => type === "exchange_rate.ending")).not.toEqual([]);
});

test("a transfer that goes back raises one alert, however often the bank reports it, and home does not list that alert again", async () => {
  const link = await aLink(shop);
  const notice = noticeOf(link, { amount: naira(4_000) });
  await Promise.all(times(FIVE, () => hear(notice)));
  expect(await alertsOf(shop, "checkout.transfer_returned")).toMatchObject([
    { resourceId: link.reference, message: "₦4,000.00 came for a payment link, and ₦5,000.00 was due. It goes back to the payer." },
  ]);
  expect(await listStandaloneAlerts(shop.ctx, alertTypesOf("owner"), 10)).toEqual([]);
  await expectInvariantsToHold();
});

test("a reversed top-up raises one alert with the amount that came back, and a top-up that fails at first raises none", async () => {
  const buyer = await aVtuMerchant({ wallet: 2_000 });
  const purchase = await aClaimedPurchase(buyer);
  await settleAnswer(purchase, DELIVERED);
  await Promise.all(times(FIVE, () => settleAsRead(purchase, FAILED)));
  const failed = await aClaimedPurchase(buyer);
  await settleAnswer(failed, FAILED);
  expect(await alertsOf(buyer, "vtu.reversed")).toMatchObject([
    { resourceId: purchase.id, message: expect.stringContaining("₦500.00 is back in your wallet") },
  ]);
  await expectInvariantsToHold();
});
