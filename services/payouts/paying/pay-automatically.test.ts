import { expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { times, until } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aMember } from "../../members/member.fixture.ts";
import { suspendMerchant } from "../../merchants/index.ts";
import { anOperator, byOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { walletOf } from "../../vtu/vtu.fixture.ts";
import { listPayouts, payOutAutomatically, setPayoutFee, setPayoutLimits, setPayoutRules } from "../index.ts";
import { aBankAccount, aPayoutMerchant, chosenRules, orderPayoutFault } from "../payouts.fixture.ts";
import { lockMerchant } from "../rows.ts";
import type { ChosenRules } from "../rules/tighten.ts";

withDatabase();
withApp();

const system = systemContext("test");
const MONDAY = new Date("2026-11-23T07:08:00Z");
const TUESDAY = new Date("2026-11-24T07:08:00Z");

/** Pays out on a day what the merchants of this file want. Each test has a day of its own merchants: others have no automatic payouts. */
async function withAutomatic(changes: Partial<ChosenRules> = {}, wallet = 100_000): Promise<TestMerchant> {
  await sql()`delete from payout_rules`;
  const shop = await aPayoutMerchant({ wallet });
  await setRules(shop, { automaticAccountId: await aBankAccount(shop), ...changes });
  return shop;
}

const setRules = ({ ctx }: TestMerchant, changes: Partial<ChosenRules>) =>
  setPayoutRules(byOperator(ctx), chosenRules({ automatic: "day", ...changes }));
const amountsOf = async ({ ctx }: TestMerchant) => (await listPayouts(ctx, { limit: 25 })).items.map(({ total }) => total);

test("an automatic payout leaves the reserve, fee included, and is made once a day, although two workers do it at once", async () => {
  const shop = await withAutomatic({ automaticReserve: naira(20_000) });
  await setPayoutFee(anOperator, shop.merchant, { flat: 5_000n, bps: 0, minimum: 0n, maximum: null });
  await Promise.all(times(3, () => payOutAutomatically(system, TUESDAY)));
  expect(await amountsOf(shop)).toEqual([naira(80_000)]);
  expect(await walletOf(shop.merchant.id)).toEqual({ balance: 20_000_00n, held: 0n });
  await expectInvariantsToHold();
});

test("a weekly one is made on Mondays", async () => {
  const shop = await withAutomatic({ automatic: "week" });
  expect(await payOutAutomatically(system, TUESDAY)).toBe(0);
  expect(await payOutAutomatically(system, MONDAY)).toBe(1);
  expect(await amountsOf(shop)).toEqual([naira(100_000)]);
});

test("it pays no more than the limits and one person allow, and nothing below the least payout", async () => {
  const shop = await withAutomatic({ maxAmount: naira(60_000) });
  await payOutAutomatically(system, MONDAY);
  await setPayoutLimits(anOperator, shop.merchant, { maxAmount: naira(50_000), maxADay: naira(80_000), delayMs: 0 });
  await aMember(shop.merchant.businessId, "admin");
  const [account] = await sql()<{ id: string }[]>`select id from bank_accounts where merchant_id = ${shop.merchant.id}`;
  await setRules(shop, { automaticAccountId: account?.id ?? "", twoPeopleAbove: naira(70_000) });
  await payOutAutomatically(system, TUESDAY);
  expect(await amountsOf(shop)).toEqual([naira(10_000), naira(60_000)]);
  const poor = await withAutomatic({}, 99);
  expect(await payOutAutomatically(system, MONDAY)).toBe(0);
  expect(await amountsOf(poor)).toEqual([]);
});

test("one that is refused is told to its merchant once a day, and the next merchant is paid", async () => {
  const first = await withAutomatic();
  const second = await aPayoutMerchant({ wallet: 5_000 });
  await setRules(second, { automaticAccountId: await aBankAccount(second) });
  await sql()`update bank_accounts set removed_at = now(), removed_by = 'test' where merchant_id = ${first.merchant.id}`;
  for (const _ of [1, 2]) await payOutAutomatically(system, MONDAY);
  expect([await amountsOf(first), await amountsOf(second)]).toEqual([[], [naira(5_000)]]);
  const alerts = await sql()`select type from alerts where merchant_id = ${first.merchant.id}`;
  expect(alerts).toEqual([{ type: "payout.failed" }]);
});

test("a merchant that is suspended while others are paid gets nothing", async () => {
  const first = await withAutomatic();
  const second = await aPayoutMerchant();
  await setRules(second, { automaticAccountId: await aBankAccount(second) });
  expect(first.merchant.id < second.merchant.id).toBe(true);
  await orderPayoutFault("sandbox", "pay", "hang_before");
  const paying = payOutAutomatically(system, MONDAY);
  await until(async () => (await amountsOf(first)).length === 1);
  await suspendMerchant(anOperator, second.merchant.id, "The bank asked for it.");
  await paying;
  expect(await amountsOf(second)).toEqual([]);
});

test("one that is switched off while it waits for the lock is not made", async () => {
  const shop = await withAutomatic();
  let paying: Promise<number> | undefined;
  await transaction(async (tx) => {
    await lockMerchant(tx, shop.merchant.id);
    paying = outsideTransaction(() => payOutAutomatically(system, MONDAY));
    await outsideTransaction(() => until(isLockAwaited));
    await tx.execute(`
      insert into payout_rules (merchant_id, automatic_reserve, made_by, valid_from)
      values ('${shop.merchant.id}', 0, 'cli:operator', date_trunc('milliseconds', clock_timestamp()))`);
  });
  expect(await paying).toBe(0);
  expect(await amountsOf(shop)).toEqual([]);
});
