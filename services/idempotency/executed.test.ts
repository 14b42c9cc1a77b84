import { expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { type Claim, claimKey, markExecuted, recordAnswer, releaseClaim } from "./index.ts";
import { endLease } from "./leases.fixture.ts";

withDatabase();

const claimOf = ({ merchant }: TestMerchant, key: string): Claim => ({ merchantId: merchant.id, scope: "POST /x", key, bodyHash: "h" });

async function claimed(claim: Claim) {
  const outcome = await claimKey(claim, () => `res_${claim.key}`);
  if (outcome.status !== "run") throw new Error(outcome.status);
  return outcome;
}

test("a refusal after the work was done keeps the key and tells the next try that it was executed; any other refusal frees the key", async () => {
  const shop = await aMerchant();
  const [done, refused] = [claimOf(shop, "done"), claimOf(shop, "refused")];
  const { lease } = await claimed(done);
  await transaction((tx) => markExecuted(tx, { ...shop.ctx, lease }));
  await releaseClaim(lease);
  await releaseClaim((await claimed(refused)).lease);
  expect(await claimed(done)).toMatchObject({ resourceId: "res_done", resumed: true, isExecuted: true });
  expect(await claimed(refused)).toMatchObject({ resumed: false, isExecuted: false });
});

test("a superseded try executes nothing and marks nothing, and the one that has taken over does both", async () => {
  const shop = await aMerchant();
  const claim = claimOf(shop, "superseded");
  const { lease } = await claimed(claim);
  const first = await endLease(lease);
  const { lease: second } = await claimed(claim);
  const execute = (by: typeof first) =>
    transaction(async (tx) => {
      await markExecuted(tx, { ...shop.ctx, lease: by });
      await tx.execute(
        "update merchants set steps_put_away_at = now() where id = (select merchant_id from idempotency_keys where key = 'superseded')",
      );
    });
  const isMarked = async () =>
    (await sql()`select from idempotency_keys where key = 'superseded' and executed_at is not null`).length === 1;
  const isExecuted = async () =>
    (await sql()`select from merchants where id = ${shop.merchant.id} and steps_put_away_at is not null`).length === 1;
  await expect(execute(first)).rejects.toMatchObject({ code: "REQUEST_IN_PROGRESS", outcome: "unknown" });
  expect([await isMarked(), await isExecuted()]).toEqual([false, false]);
  await execute(second);
  expect([await isMarked(), await isExecuted()]).toEqual([true, true]);
  // Once it has answered, nothing runs under its lease either.
  await recordAnswer(second, 200);
  await expect(execute(second)).rejects.toMatchObject({ code: "REQUEST_IN_PROGRESS" });
});
