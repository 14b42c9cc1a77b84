import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newPurchaseId } from "#lib/references.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { buyProduct } from "../buying/buy-product.ts";
import { settleAnswer } from "../buying/settle-answers.ts";
import { receiveHint } from "../index.ts";
import type { PurchaseRow } from "../purchase.ts";
import { aClaimedPurchase, airtime, aVtuMerchant, currentRow, DELIVERED, settleAsRead } from "../vtu.fixture.ts";

withDatabase();
withApp();

/** Returns the milliseconds until a purchase is due, or null if it is never due again. */
async function dueInMs(purchase: Pick<PurchaseRow, "merchantId" | "id">): Promise<number | null> {
  const { nextAttemptAt } = await currentRow(purchase);
  return nextAttemptAt && nextAttemptAt.getTime() - Date.now();
}

describe("a hint", () => {
  test("after a hint that came before the answer, the purchase is read soon, and without a hint it is read a day later", async () => {
    const shop = await aVtuMerchant();
    const purchase = await aClaimedPurchase(shop);
    await sql()`update purchases set fencing_token = 1, next_attempt_at = now() + interval '1 minute' where id = ${purchase.id}`;
    await settleAnswer(purchase, DELIVERED);
    expect(await dueInMs(purchase)).toBeLessThan(MINUTE_MS + SECOND_MS);
    const quiet = await aClaimedPurchase(shop);
    await settleAnswer(quiet, DELIVERED);
    expect(await dueInMs(quiet)).toBeGreaterThan(23 * HOUR_MS);
  });

  test("that comes before the answer, and before any read, keeps the purchase due", async () => {
    const shop = await aVtuMerchant();
    const purchase = await aClaimedPurchase(shop);
    await sql()`update purchases set next_attempt_at = now() - interval '1 second' where id = ${purchase.id}`;
    await settleAnswer(purchase, DELIVERED);
    expect(await dueInMs(purchase)).toBeLessThanOrEqual(0);
  });

  test("that comes during a read makes the purchase due again after this read has settled it", async () => {
    const shop = await aVtuMerchant();
    const purchase = await aClaimedPurchase(shop);
    await sql()`update purchases set fencing_token = 1, leased_at = now(), next_attempt_at = now() + interval '30 seconds' where id = ${purchase.id}`;
    await receiveHint(systemContext("test"), "sandbox", { reference: purchase.id });
    await settleAsRead(purchase, DELIVERED, 1);
    expect(await dueInMs(purchase)).toBeLessThan(12 * SECOND_MS);
  });

  test("causes no second read within 11 seconds, however many come, and is read after that", async () => {
    const shop = await aVtuMerchant();
    const purchase = await buyProduct(shop.ctx, airtime());
    await Promise.all(times(20, () => receiveHint(systemContext("test"), "sandbox", { reference: purchase.id })));
    // A hint that comes after the read is not forgotten: it sets the time of the next read.
    await receiveHint(systemContext("test"), "sandbox", { reference: purchase.id });
    expect((await currentRow(purchase)).fencingToken).toBe(1);
    expect(await dueInMs(purchase)).toBeLessThan(12 * SECOND_MS);
  });

  test("a hint of another aggregator, or with an unknown or changed reference, makes no purchase due", async () => {
    const shop = await aVtuMerchant();
    const purchase = await aClaimedPurchase(shop);
    await sql()`update purchases set next_attempt_at = now() + interval '1 hour' where id = ${purchase.id}`;
    const { id } = purchase;
    const otherEnd = id.endsWith("0") ? "1" : "0";
    const hint = (provider: string, reference: string) => receiveHint(systemContext("test"), provider, { reference });
    await hint("sandbox-vtpass", id);
    for (const reference of [newPurchaseId(shop.merchant.number), `${id.slice(0, -1)}${otherEnd}`, id.toLowerCase(), "vtu_1", ""])
      await hint("sandbox", reference);
    expect(await dueInMs(purchase)).toBeGreaterThan(59 * MINUTE_MS);
    await hint("sandbox", id);
    expect(await dueInMs(purchase)).toBeLessThan(2 * MINUTE_MS);
  });
});
