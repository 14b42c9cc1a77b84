import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { BY_TWO } from "../../by-two.fixture.ts";
import { eventTypesOf } from "../../checkout/checkout.fixture.ts";
import { systemContext } from "../../context.ts";
import { anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { settleAnswer } from "../buying/settle-answers.ts";
import { openSecrets } from "../delivery.ts";
import { alertOnUndecidedPurchases, listExceptions, type OperatorOutcome, settlePurchaseByOperator } from "../index.ts";
import type { PurchaseRow } from "../purchase.ts";
import {
  AIRTIME_PRICE,
  aClaimedPurchase,
  aMeter,
  aVtuMerchant,
  currentRow,
  DELIVERED,
  EMPTY_DELIVERY,
  FAILED,
  settleAsRead,
  walletOf,
} from "../vtu.fixture.ts";

withDatabase();
withApp();

const ctx = systemContext("test");
const TOKEN = "12345678901234567890";
const prepaid = () => ({ service: "electricity", variant: "Prepaid", recipient: aMeter() }) as const;

let shop: TestMerchant;
beforeEach(async () => {
  shop = await aVtuMerchant({ wallet: 2_000 });
});

const alertsAbout = (resourceId: string) =>
  sql()<
    { type: string; message: string }[]
  >`select type, message from alerts where resource_id = ${resourceId} order by created_at, type, id`;
const makeOlder = ({ id }: PurchaseRow, interval: string) =>
  sql()`update purchases set created_at = created_at - ${interval}::interval where id = ${id}`;
const say = (id: string, changes: Partial<OperatorOutcome> = {}) =>
  decidedByTwo((by) =>
    settlePurchaseByOperator(by, id, { outcome: "delivered", evidence: "Ticket 4711", reason: "They checked.", ...changes }),
  );

describe("a purchase that its aggregator never decides", () => {
  test("alerts merchant and operators after an hour, after a day and then daily, once each, however often it is looked for", async () => {
    const purchase = await aClaimedPurchase(shop);
    const look = () => Promise.all(times(3, () => alertOnUndecidedPurchases(ctx)));
    await look();
    expect(await alertsAbout(purchase.id)).toEqual([]);
    for (const [older, since] of [
      ["61 minutes", "more than an hour"],
      ["1 day", "more than a day"],
      ["1 day", "more than 2 days"],
    ] as const) {
      await makeOlder(purchase, older);
      await look();
      await look();
      const alerts = (await alertsAbout(purchase.id)).filter(({ message }) => message.includes(since));
      expect(alerts.map(({ type }) => type).toSorted()).toEqual(["purchase.undecided", "vtu.undecided"]);
    }
    await settleAnswer(purchase, DELIVERED);
    await sql()`delete from alerts where resource_id = ${purchase.id}`;
    await alertOnUndecidedPurchases(ctx);
    expect(await alertsAbout(purchase.id)).toEqual([]);
  });

  test("every undecided purchase raises an alert, even if there are more than one batch", async () => {
    const [first, ...others] = await Promise.all(times(3, () => aClaimedPurchase(shop, { amount: 5_000n, unitPrice: 5_000n })));
    if (!first) throw new Error("none");
    await sql()`
      insert into purchases select (jsonb_populate_record(null::purchases, to_jsonb(p) || jsonb_build_object('id', p.id || 'X' || lpad(n::text, 3, '0')))).*
      from purchases p, generate_series(1, 250) n where p.id = ${first.id}`;
    await sql()`update purchases set created_at = created_at - interval '2 hours' where merchant_id = ${shop.merchant.id}`;
    await alertOnUndecidedPurchases(ctx);
    const [alerted] =
      await sql()`select count(*)::int as purchases from alerts where merchant_id = ${shop.merchant.id} and type = 'vtu.undecided'`;
    expect(alerted).toEqual({ purchases: 251 + others.length });
    await sql()`delete from purchases where id like ${`${first.id}X%`}`;
  });

  test.each([
    ["delivered", AIRTIME_PRICE.minor, "success", "vtu.success"],
    ["failed", 0n, "failed", "vtu.failed"],
  ] as const)(
    "is settled once as an operator says, %s, four times at once, and the audit has reason and evidence",
    async (outcome, charged, status, event) => {
      const before = await walletOf(shop.merchant.id);
      const purchase = await aClaimedPurchase(shop);
      const done = await Promise.all(times(4, () => say(purchase.id, { outcome })));
      expect(done.filter(Boolean)).toHaveLength(1);
      expect(await currentRow(purchase)).toMatchObject({ status, charged });
      expect(await walletOf(shop.merchant.id)).toEqual({ balance: before.balance - charged, held: 0n });
      expect(await eventTypesOf(shop)).toEqual([event]);
      const audited = await sql()`select reason, after from audit_entries where action = 'purchase.settled' and subject = ${purchase.id}`;
      expect(audited).toEqual([{ reason: "They checked.", after: { outcome, evidence: "Ticket 4711", ...BY_TWO } }]);
      await expectInvariantsToHold();
    },
  );

  test("a purchase that an operator settled is charged or refunded again, with an exception, if the aggregator later decides otherwise", async () => {
    const failed = await aClaimedPurchase(shop);
    await say(failed.id, { outcome: "failed" });
    const { fencingToken, nextAttemptAt } = await currentRow(failed);
    // It is read again within minutes.
    expect((nextAttemptAt?.getTime() ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThan(120_000);
    expect(await settleAsRead(failed, DELIVERED, fencingToken)).toMatchObject({
      status: "success",
      charged: AIRTIME_PRICE.minor,
      corrections: 1,
    });
    expect((await listExceptions(anOperator)).filter(({ purchaseId }) => purchaseId === failed.id)).toMatchObject([
      { kind: "late_success" },
    ]);
    await expectInvariantsToHold();
  });

  test("a read that was running when an operator decided does not settle the purchase", async () => {
    const purchase = await aClaimedPurchase(shop);
    const { fencingToken } = purchase;
    await say(purchase.id, { outcome: "delivered" });
    expect(await settleAsRead(purchase, FAILED, fencingToken)).toMatchObject({ status: "success" });
    await settleAnswer(purchase, FAILED);
    expect(await currentRow(purchase)).toMatchObject({ status: "success" });
    await expectInvariantsToHold();
  });

  test("an operator can call prepaid electricity delivered only with its token, which no audit entry and no event contains", async () => {
    const purchase = await aClaimedPurchase(shop, prepaid());
    await expect(say(purchase.id)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const pins = [{ serial: "S1", pin: "1" }];
    for (const delivery of [
      { tokens: ["1234"], pins: [] },
      { tokens: [TOKEN, TOKEN], pins: [] },
      { tokens: [TOKEN], pins },
      { tokens: [], pins },
    ])
      await expect(say(purchase.id, { delivery })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect((await currentRow(purchase)).status).toBe("processing");
    expect(await say(purchase.id, { delivery: { tokens: [TOKEN], pins: [] } })).toBe(true);
    expect(openSecrets(await currentRow(purchase)).tokens).toEqual([TOKEN]);
    const told =
      await sql()`select after::text as text from audit_entries union all select data::text from events union all select message from alerts`;
    expect(JSON.stringify(told)).not.toContain(TOKEN);
  });

  test("an operator delivers exam pins with each pin once, and the missing pins are refunded", async () => {
    const unitPrice = 50_000n;
    const exam = { service: "exam", recipient: null, quantity: 2, unitPrice, amount: 2n * unitPrice } as const;
    const purchase = await aClaimedPurchase(shop, exam);
    const pin = { serial: "S1", pin: "1234" };
    const others = [pin, { serial: "S2", pin: "2345" }, { serial: "S3", pin: "3456" }];
    for (const pins of [[pin, pin], others, [{ serial: "serial", pin: "pin" }, pin], []])
      await expect(say(purchase.id, { delivery: { tokens: [], pins } })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(say(purchase.id, { delivery: { tokens: [TOKEN], pins: [pin] } })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await say(purchase.id, { delivery: { tokens: [], pins: [pin] } })).toBe(true);
    expect(await currentRow(purchase)).toMatchObject({ status: "success", charged: unitPrice });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 200_000n - unitPrice, held: 0n });
    await expectInvariantsToHold();
  });

  test("the aggregator's token is shown beside the one that an operator mistyped, and merchant and operators are alerted once", async () => {
    const purchase = await aClaimedPurchase(shop, { service: "electricity", variant: "Prepaid", recipient: aMeter() });
    await say(purchase.id, { delivery: { tokens: [TOKEN], pins: [] } });
    const right = "9".repeat(20);
    const read = (token: string) => ({ status: "delivered" as const, delivery: { ...EMPTY_DELIVERY, tokens: [token] } });
    for (const token of [right, right, right.replace(/(.{4})/g, "$1-"), TOKEN.replace(/(.{4})/g, "$1 ").trim()]) {
      const row = await currentRow(purchase);
      await settleAsRead(row, read(token), row.fencingToken);
    }
    expect(openSecrets(await currentRow(purchase)).tokens).toEqual([TOKEN, right]);
    const alerts = await sql()<{ type: string; message: string }[]>`
      select type, message from alerts where resource_id = ${purchase.id} and cause like '%named_others' order by type`;
    expect(alerts.map(({ type }) => type)).toEqual(["purchase.contradicted", "vtu.undecided"]);
    expect(JSON.stringify(alerts)).not.toContain(right);
    await expectInvariantsToHold();
  });

  test("the aggregator's PIN is shown beside the one that an operator mistyped, and merchant and operators are alerted", async () => {
    const exam = { service: "exam", recipient: null, quantity: 1, unitPrice: 50_000n, amount: 50_000n } as const;
    const purchase = await aClaimedPurchase(shop, exam);
    const [typed, right] = [
      { serial: "S1", pin: "1234" },
      { serial: "S1", pin: "1243" },
    ];
    await say(purchase.id, { delivery: { tokens: [], pins: [typed] } });
    const row = await currentRow(purchase);
    await settleAsRead(row, { status: "delivered", delivery: { ...EMPTY_DELIVERY, pins: [right] } }, row.fencingToken);
    expect(openSecrets(await currentRow(purchase)).pins).toEqual([typed, right]);
    const alerts = await sql()<{ type: string }[]>`
      select type from alerts where resource_id = ${purchase.id} and cause like '%named_others' order by type`;
    expect(alerts.map(({ type }) => type)).toEqual(["purchase.contradicted", "vtu.undecided"]);
    await expectInvariantsToHold();
  });

  test("a decision that changes no money keeps the tokens, and a reason or evidence with a token is refused", async () => {
    const purchase = await aClaimedPurchase(shop, prepaid());
    for (const told of [{ reason: `It was ${TOKEN}.` }, { evidence: `Mail with ${TOKEN}` }])
      await expect(say(purchase.id, told)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await say(purchase.id, { delivery: { tokens: [TOKEN], pins: [] } });
    await sql()`update purchases set corrections = 4 where id = ${purchase.id}`;
    const { fencingToken } = await currentRow(purchase);
    const others = ["11111111111111111111", "22222222222222222222"];
    expect(await say(purchase.id, { delivery: { tokens: others, pins: [] } })).toBe(false);
    expect(await currentRow(purchase)).toMatchObject({ fencingToken });
    expect(openSecrets(await currentRow(purchase)).tokens).toEqual([TOKEN]);
    await sql()`update purchases set corrections = 0 where id = ${purchase.id}`;
  });

  test("an operator's decision needs a reason, evidence and an existing purchase, and has tokens only for goods with tokens", async () => {
    const purchase = await aClaimedPurchase(shop);
    await expect(say(purchase.id, { delivery: { tokens: [TOKEN], pins: [] } })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(say(purchase.id, { reason: " " })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(say(purchase.id, { evidence: "" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await say("vtu_nobody")).toBe(false);
    expect((await currentRow(purchase)).status).toBe("processing");
  });
});

test("an aggregator that contradicts itself more than four times alerts merchant and operators once, and an operator decides", async () => {
  const purchase = await aClaimedPurchase(shop);
  await settleAnswer(purchase, DELIVERED);
  for (const outcome of [FAILED, DELIVERED, FAILED, DELIVERED]) await settleAsRead(purchase, outcome);
  await Promise.all(times(3, () => settleAsRead(purchase, FAILED)));
  expect(await currentRow(purchase)).toMatchObject({ status: "success", charged: AIRTIME_PRICE.minor, corrections: 4 });
  const types = (await alertsAbout(purchase.id)).map(({ type }) => type);
  expect(types.filter((type) => type !== "vtu.reversed").toSorted()).toEqual(["purchase.contradicted", "vtu.undecided"]);
  expect(await say(purchase.id, { outcome: "failed" })).toBe(true);
  expect(await currentRow(purchase)).toMatchObject({ status: "reversed", charged: 0n });
  expect(await walletOf(shop.merchant.id)).toEqual({ balance: 200_000n, held: 0n });
  await expectInvariantsToHold();
});
