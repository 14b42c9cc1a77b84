import { expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { newCardholderId } from "#lib/ids.ts";
import { dollars, naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { times, until } from "#testing/until.ts";
import { createApiKey, rollApiKey } from "../api-keys/index.ts";
import { decidedByTwo } from "../approved.fixture.ts";
import { findingsOf } from "../audit/audit.fixture.ts";
import { noteInAudit } from "../audit/index.ts";
import { BY_TWO } from "../by-two.fixture.ts";
import { systemContext } from "../context.ts";
import { appendEvent } from "../events/index.ts";
import { setRate } from "../exchange/index.ts";
import { bindProvider } from "../merchants/index.ts";
import { anOperator, type TestMerchant, withAllRights } from "../merchants/merchant.fixture.ts";
import { createEndpoint, rollSecret } from "../webhooks/index.ts";
import { decideKyc } from "./cardholders/decide-kyc.ts";
import { revealDetails } from "./cards/reveal-details.ts";
import { aCard, aCardMerchant, addToWallet, operationRow, orderFault } from "./cards.fixture.ts";
import { unloadCard } from "./operations/fund-and-unload.ts";
import { settleByOperator } from "./operations/settle-by-operator.ts";
import { FUND_RATE, MID_RATE, RATE_SCALE, UNLOAD_RATE } from "./prices/prices.fixture.ts";
import { setFeeRule } from "./prices/set-fee-rule.ts";

withDatabase();
withApp();
withCardSweeps();

/** Issues a card and unloads it by a dollar, which its issuer never answers. Returns the id of the undecided operation. */
async function anUndecidedUnload(shop: TestMerchant): Promise<string> {
  const card = await aCard(shop, { balance: 5 });
  await orderFault("sandbox", "unload", "hang_before", card);
  const { id } = await unloadCard(shop.ctx, card.id, { amount: dollars(1) });
  // The worker reads it again much later than this test.
  await sql()`update card_operations set next_attempt_at = now() + interval '1 day' where id = ${id} and status = 'processing'`;
  return id;
}

/** Stores a cardholder whose KYC nobody has decided. */
async function anUndecidedCardholder({ merchant }: TestMerchant): Promise<{ merchantId: string; id: number }> {
  const [merchantId, id] = [merchant.id, newCardholderId()];
  await sql()`
    insert into cardholders (merchant_id, id, reference, first_name, last_name, email, provider, made_by)
    values (${merchantId}, ${String(id)}::text::bigint, ${`ref-${id}`}, 'Ada', 'Obi', ${`${id}@example.com`}, 'sandbox', 'system:test')`;
  return { merchantId, id };
}

const approve = (cardholder: { merchantId: string; id: number }) => decideKyc(anOperator, cardholder, { status: "APPROVED" });
const settle = (operationId: string) =>
  decidedByTwo((by) => settleByOperator(by, operationId, { taken: dollars(1), reason: "The issuer took it." }));

test("a verb that waits for the event counter has not locked the head of the audit chain, so the common lock order holds", async () => {
  const shop = await aCardMerchant();
  const merchantId = shop.merchant.id;
  const acts = [settle.bind(null, await anUndecidedUnload(shop)), approve.bind(null, await anUndecidedCardholder(shop))];
  for (const act of acts) {
    const acting = await transaction(async (tx) => {
      await appendEvent(tx, merchantId, "card.funded", {});
      const running = outsideTransaction(act);
      await outsideTransaction(() => until(isLockAwaited));
      await noteInAudit(tx, systemContext("test"), { merchantId, action: "thing.done", subject: "x" });
      // An object, because an async function would wait for a promise that it returns.
      return { running };
    });
    expect(await acting.running).toBe(true);
  }
  expect(await findingsOf(shop.merchant.businessId)).toEqual([]);
});

test("verbs that lock, post, append events and note at once for one merchant end without a deadlock, each with its entry", async () => {
  const shop = withAllRights(await aCardMerchant());
  const { ctx, merchant } = shop;
  const [unloads, people] = [
    await Promise.all(times(5, () => anUndecidedUnload(shop))),
    await Promise.all(times(5, () => anUndecidedCardholder(shop))),
  ];
  const [shown, endpoint] = [await aCard(shop), await createEndpoint(ctx, { url: "https://shop.example/hook", eventTypes: null })];
  const keys = await Promise.all(times(5, (i) => createApiKey(ctx, { name: `key ${i}` })));
  const countOf = async () => (await sql()`select 1 from audit_entries where business_id = ${merchant.businessId}`).length;
  const before = await countOf();
  const rate = { buy: UNLOAD_RATE * RATE_SCALE, mid: MID_RATE * RATE_SCALE, sell: FUND_RATE * RATE_SCALE, validForHours: 1 };
  await Promise.all([
    ...unloads.map(settle),
    ...people.map(approve),
    ...keys.map(({ id }) => rollApiKey(ctx, id, 1)),
    ...times(4, () => setRate(anOperator, merchant.id, rate)),
    ...times(4, () => setFeeRule(anOperator, merchant.id, "fund", { flat: 1n, bps: 0, minimum: 0n, maximum: null })),
    ...times(4, () => bindProvider(anOperator, merchant.id, "aggregator", "sandbox-vtpass")),
    ...times(4, (i) => createEndpoint(ctx, { url: `https://shop.example/${i}`, eventTypes: null })),
    ...times(3, () => rollSecret(ctx, endpoint.id, 60_000)),
    ...times(3, () => revealDetails(ctx, shown.id)),
    ...times(6, () => addToWallet(shop, naira(1))),
  ]);
  // A rolled key and a new endpoint have two entries, and a provider that is bound four times has one.
  expect((await countOf()) - before).toBe(5 + 5 + 5 * 2 + 4 + 4 + 1 + 4 * 2 + 3 + 3);
  const states = await Promise.all(unloads.map(async (id) => (await operationRow(shop, id)).status));
  expect(new Set(states)).toEqual(new Set(["completed"]));
  expect(await findingsOf(merchant.businessId)).toEqual([]);
  await expectInvariantsToHold();
});

test("an operator's entries have the id as subject, the reason, and the figures before and after", async () => {
  const shop = await aCardMerchant();
  const { merchant } = shop;
  const [unload, person] = [await anUndecidedUnload(shop), await anUndecidedCardholder(shop)];
  await settle(unload);
  await decideKyc(anOperator, person, { status: "REJECTED", reason: "The picture is blurred." });
  for (const bps of [100, 150]) await setFeeRule(anOperator, merchant.id, "fund", { flat: 1n, bps, minimum: 0n, maximum: null });
  for (const sell of [1_600n, 1_650n])
    await setRate(anOperator, merchant.id, {
      buy: 1_500n * RATE_SCALE,
      mid: 1_550n * RATE_SCALE,
      sell: sell * RATE_SCALE,
      validForHours: 1,
    });
  const entries = await sql()`
    select action, subject, reason, before, after from audit_entries where business_id = ${merchant.businessId} order by seq desc limit 6`;
  const fee = { kind: "fund", flat: "1", bps: "100", minimum: "0", maximum: null };
  const rate = { buy: "1500", mid: "1550", sell: "1600", valid_until: expect.stringMatching(/Z$/) };
  const subject = expect.stringMatching(/^\w+$/);
  expect(entries.toReversed()).toEqual([
    {
      ...{ action: "card_operation.settled", subject: unload, reason: "The issuer took it." },
      ...{ before: { status: "processing" }, after: { outcome: "completed", taken: "100", ...BY_TWO } },
    },
    {
      ...{ action: "cardholder.decided", subject: String(person.id), reason: "The picture is blurred." },
      ...{ before: { kyc_status: "PENDING" }, after: { kyc_status: "REJECTED" } },
    },
    { action: "fee_rule.set", subject: merchant.id, reason: null, before: null, after: fee },
    { action: "fee_rule.set", subject: merchant.id, reason: null, before: fee, after: { ...fee, bps: "150" } },
    { action: "rate.set", subject, reason: null, before: null, after: rate },
    { action: "rate.set", subject, reason: null, before: rate, after: { ...rate, sell: "1650" } },
  ]);
});
