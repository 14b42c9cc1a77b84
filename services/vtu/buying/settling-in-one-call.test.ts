import { expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { until } from "#testing/until.ts";
import { holdKeyOf, mustPost } from "../../ledger/index.ts";
import { AIRTIME_PRICE, aClaimedPurchase, aVtuMerchant, currentRow, DELIVERED, walletOf } from "../vtu.fixture.ts";
import { settleAnswer } from "./settle-answers.ts";

withDatabase();
withApp();

const eventsOf = async (merchantId: string) =>
  (await sql()<{ type: string }[]>`select type from events where merchant_id = ${merchantId} order by sequence`).map(({ type }) => type);

test("an answer waits for another process that settles the purchase, and then changes nothing", async () => {
  const shop = await aVtuMerchant();
  const purchase = await aClaimedPurchase(shop);
  const before = await walletOf(shop.merchant.id);
  const { settled } = await sql().begin(async (tx) => {
    await tx`
      update purchases set status = 'failed', failure_reason = 'The other process says so.', completed_at = now()
      where merchant_id = ${purchase.merchantId} and id = ${purchase.id}`;
    const waiting = settleAnswer(purchase, DELIVERED);
    await until(isLockAwaited);
    return { settled: waiting };
  });
  expect(await settled).toMatchObject({ status: "failed", failureReason: "The other process says so." });
  expect(await walletOf(shop.merchant.id)).toEqual(before);
  expect(await eventsOf(shop.merchant.id)).toEqual([]);
});

test("an answer whose transfer the ledger refuses throws, and neither settles the purchase nor makes an event", async () => {
  const shop = await aVtuMerchant();
  const purchase = await aClaimedPurchase(shop);
  await mustPost(db(), shop.merchant.id, [{ kind: "release", key: "by hand", target: holdKeyOf(purchase.id) }]);
  await expect(settleAnswer(purchase, DELIVERED)).rejects.toThrow(/the ledger refused .*HOLD_RESOLVED/);
  expect((await currentRow(purchase)).status).toBe("processing");
  expect(await eventsOf(shop.merchant.id)).toEqual([]);
});

test("the count of a purchase's reads begins again when it is settled", async () => {
  const shop = await aVtuMerchant();
  const purchase = await aClaimedPurchase(shop);
  await sql()`update purchases set attempts = 3 where merchant_id = ${purchase.merchantId} and id = ${purchase.id}`;
  await settleAnswer(purchase, DELIVERED);
  expect(await currentRow(purchase)).toMatchObject({ status: "success", charged: AIRTIME_PRICE.minor, attempts: 0 });
});
