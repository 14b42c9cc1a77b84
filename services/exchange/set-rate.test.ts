import { beforeEach, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { decidedByTwo } from "../approved.fixture.ts";
import { aMerchant, anOperator, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { toRate } from "./convert.ts";
import { findCurrentRate, setRate } from "./index.ts";

withDatabase();

let shop: TestMerchant;
beforeEach(async () => {
  shop = await aMerchant();
});

type Rate = readonly [buy: number, mid: number, sell: number];
const figures = (rate: Rate) => {
  const [b, m, s] = rate.map(toRate);
  if (!b || !m || !s) throw new Error("no rate");
  return { buy: b, mid: m, sell: s, validForHours: 1 };
};
const byOne = (rate: Rate) => setRate(anOperator, shop.merchant.id, figures(rate));
const byTwo = (rate: Rate) => decidedByTwo((by) => setRate(by, shop.merchant.id, figures(rate)));
const ratesOf = () => sql()`select buy from exchange_rates where merchant_id = ${shop.merchant.id}`;

test.each([
  ["5 % above the last rate", [1_575, 1_627.5, 1_680]],
  ["5 % below it", [1_425, 1_472.5, 1_520]],
  ["equal to it", [1_500, 1_550, 1_600]],
] satisfies [string, Rate][])("a rate that is %s is set by one operator", async (_, rate) => {
  await byTwo([1_500, 1_550, 1_600]);
  await byOne(rate);
  expect(await ratesOf()).toHaveLength(2);
});

test.each([
  ["buys for more than 5 % above the last", [1_575.0001, 1_627.5, 1_680]],
  ["has a middle more than 5 % above the last", [1_575, 1_627.5001, 1_680]],
  ["sells for more than 5 % above the last", [1_575, 1_627.5, 1_680.0001]],
  ["buys for more than 5 % below the last", [1_424.9999, 1_500, 1_600]],
] satisfies [string, Rate][])("a rate that %s is set by two operators only", async (_, rate) => {
  await byTwo([1_500, 1_550, 1_600]);
  await expect(byOne(rate)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await ratesOf()).toHaveLength(1);
  await byTwo(rate);
  expect(await ratesOf()).toHaveLength(2);
});

test("a rate that sells below the last buying rate is set by two operators only, however little it differs", async () => {
  await byTwo([1_550, 1_560, 1_570]);
  await expect(byOne([1_540, 1_545, 1_549.9999])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await byOne([1_540, 1_545, 1_550]);
});

test("the first rate of a merchant is compared with that of its mode", async () => {
  const [row] = await sql()<{ buy: bigint; mid: bigint; sell: bigint }[]>`
    select buy, mid, sell from exchange_rates where merchant_id = 'mer_platform_test' order by valid_from desc, id desc limit 1`;
  if (!row) throw new Error("test mode has no rate");
  const set = (percent: bigint) => {
    const [buy, mid, sell] = [row.buy, row.mid, row.sell].map((rate) => (rate * percent) / 100n);
    if (!buy || !mid || !sell) throw new Error("no rate");
    return setRate(anOperator, shop.merchant.id, { buy, mid, sell, validForHours: 1 });
  };
  await expect(set(106n)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await set(104n);
});

test("a rate that begins later applies from then on, and until then the one before it does", async () => {
  const read = async () => Number((await findCurrentRate(shop.ctx))?.sell) / 10_000;
  await byTwo([1_500, 1_550, 1_600]);
  const from = new Date(Date.now() + HOUR_MS);
  const { validUntil } = await setRate(anOperator, shop.merchant.id, { ...figures([1_510, 1_560, 1_610]), from });
  expect(validUntil.getTime() - from.getTime()).toBe(HOUR_MS);
  expect(await read()).toBe(1_600);
  await sql()`update exchange_rates set valid_from = now() where merchant_id = ${shop.merchant.id} and valid_from > now()`;
  expect(await read()).toBe(1_610);
});

test.each([
  ["now is over", -1],
  ["is more than a year ahead", 367 * 24 * HOUR_MS],
  ["does not exist", Number.NaN],
])("a rate does not begin at a time that %s", async (_, aheadMs) => {
  const from = new Date(Date.now() + aheadMs);
  await expect(setRate(anOperator, shop.merchant.id, { ...figures([1_500, 1_550, 1_600]), from })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  expect(await ratesOf()).toHaveLength(0);
});

test("small steps of one operator add up to no more than 5 % in a day", async () => {
  await byTwo([1_500, 1_550, 1_600]);
  await sql()`update exchange_rates set valid_from = valid_from - interval '2 days', valid_until = valid_until + interval '2 days' where merchant_id = ${shop.merchant.id}`;
  await byOne([1_540, 1_590, 1_640]);
  await byOne([1_570, 1_620, 1_670]);
  await expect(byOne([1_580, 1_630, 1_680.1])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("a rate is compared with the one that applies, and not with one of the merchant's own that has ended", async () => {
  await byTwo([900, 950, 1_000]);
  await sql()`update exchange_rates set valid_from = now() - interval '300 days', valid_until = now() - interval '299 days' where merchant_id = ${shop.merchant.id}`;
  await expect(byOne([900, 950, 1_000])).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});
