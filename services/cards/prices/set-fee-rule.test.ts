import { beforeEach, expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aMerchant, anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { findFeeRule } from "./prices.ts";
import { setFeeRule } from "./set-fee-rule.ts";

withDatabase();

let shop: TestMerchant;
beforeEach(async () => {
  shop = await aMerchant();
});

const rule = (flat: bigint) => ({ flat, bps: 0, minimum: 0n, maximum: null });
const set = (flat: bigint, from?: Date) => setFeeRule(anOperator, shop.merchant.id, "fund", rule(flat), from);
const flatNow = async () => BigInt((await findFeeRule(db(), shop.merchant, "fund")).rule.flat);
const rows = () => sql()<{ flat: bigint }[]>`select flat from card_fees where merchant_id = ${shop.merchant.id} order by valid_from`;

test("a fee stays stored when another one follows it, and the last one applies", async () => {
  for (const flat of [5n, 6n, 7n]) await set(flat);
  expect((await rows()).map(({ flat }) => flat)).toEqual([5n, 6n, 7n]);
  expect(await flatNow()).toBe(7n);
});

test("fees that are set at once are all stored, and the one that the audit has last applies", async () => {
  await Promise.all(times(8, (i) => set(BigInt(i + 1))));
  expect(await rows()).toHaveLength(8);
  const [last] = await sql()<{ after: { flat: string } }[]>`
    select after from audit_entries where business_id = ${shop.merchant.businessId} and action = 'fee_rule.set' order by seq desc limit 1`;
  expect(await flatNow()).toBe(BigInt(last?.after.flat ?? -1));
});

test("a fee that begins later applies from then on, also where another one is set in between", async () => {
  await set(5n);
  const from = new Date(Date.now() + HOUR_MS);
  await set(9n, from);
  await set(6n);
  expect(await flatNow()).toBe(6n);
  await expect(set(8n, from)).rejects.toThrow("A fee begins at this time already");
  await sql()`update card_fees set valid_from = now() where merchant_id = ${shop.merchant.id} and valid_from > now()`;
  expect(await flatNow()).toBe(9n);
});

test.each([-1, 367 * 24 * HOUR_MS, Number.NaN])("a fee does not begin %d ms from now", async (aheadMs) => {
  await expect(set(5n, new Date(Date.now() + aheadMs))).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await rows()).toEqual([]);
});
