import type { TransactionSql } from "postgres";
import { beforeAll, expect, test } from "vitest";
import { create, expiryOf } from "#app/api/v1/checkout/checkout-api.fixture.ts";
import { airtimeBody, VTU } from "#app/api/v1/vtu/vtu-api.fixture.ts";
import { sql } from "#db/client.ts";
import { aVtuMerchant, orderVtuFault } from "#services/vtu/vtu.fixture.ts";
import { apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { lockWaiters } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { WALLET } from "./api-key.fixture.ts";

withDatabase();
const CONNECTIONS = 10;
/** Connections that one merchant's requests may use. */
const OF_ONE = 7;
const app = withApp({ DATABASE_POOL_SIZE: String(CONNECTIONS) });

const aBuyer = async () => {
  const shop = await aVtuMerchant({ wallet: 100_000 });
  return { shop, api: apiClient(app, shop.key) };
};

let loud: Awaited<ReturnType<typeof aBuyer>>;
let quiet: Awaited<ReturnType<typeof aBuyer>>;
beforeAll(async () => {
  loud = await aBuyer();
  quiet = await aBuyer();
});

/** Takes a lock. Returns a function that releases it. */
async function hold(lock: (tx: TransactionSql<{ bigint: bigint }>) => Promise<unknown>): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = sql().begin(async (tx) => {
    await lock(tx);
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, holding]);
  return async () => {
    released.resolve();
    await holding;
  };
}

test("a merchant with 40 requests that wait in the database takes seven of its ten connections, and another merchant is answered meanwhile", async () => {
  const { reference } = await create(loud.api);
  await loud.api.post(expiryOf(reference));
  const release = await hold(
    (tx) => tx`select from payment_links where merchant_id = ${loud.shop.merchant.id} and reference = ${reference} for update`,
  );
  let answered = 0;
  const replacing = Promise.all(
    times(40, async () => {
      const answer = await loud.api.post("/api/v1/checkout/create", { amount: 5_000, replaces: reference });
      answered++;
      return answer.status;
    }),
  );
  await until(async () => (await lockWaiters()) === OF_ONE);
  const answers = await Promise.all([
    ...times(10, () => quiet.api.get(WALLET)),
    ...times(10, () => quiet.api.post(`${VTU}/airtime`, airtimeBody())),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await lockWaiters()).toBe(OF_ONE);
  expect(answered).toBe(0);
  await release();
  expect((await replacing).toSorted()).toEqual([201, ...Array(39).fill(422)]);
  await expectInvariantsToHold();
});

test("a merchant's queries do not wait behind another's that are blocked, also where all connections have prepared them", async () => {
  const TRANSACTIONS = "/api/v1/wallet/transactions";
  for (let round = 0; round < 4; round++) {
    await Promise.all(times(20, () => loud.api.get(TRANSACTIONS)));
    await Promise.all(times(20, () => quiet.api.get(WALLET)));
  }
  const release = await hold((tx) => tx`lock table ledger_entries in access exclusive mode`);
  const reading = Promise.all(times(40, () => loud.api.get(TRANSACTIONS)));
  await until(async () => (await lockWaiters()) === OF_ONE);
  const wallets = Promise.all(times(20, () => quiet.api.get(WALLET)));
  let answered = 0;
  void wallets.then(({ length }) => (answered = length));
  await until(async () => answered === 20, 10_000).finally(release);
  expect((await wallets).map(({ status }) => status)).toEqual(Array(20).fill(200));
  await reading;
});

test("a merchant with 30 purchases that wait for a silent aggregator can read its wallet meanwhile", async () => {
  await Promise.all(times(30, () => orderVtuFault("sandbox", "buy", "hang_before")));
  let answered = 0;
  const buying = Promise.all(
    times(30, async () => {
      const answer = await loud.api.post(`${VTU}/airtime`, airtimeBody());
      answered++;
      return answer;
    }),
  );
  await until(async () => {
    const [row] = await sql()<{ count: number }[]>`
      select count(*)::int as count from purchases where merchant_id = ${loud.shop.merchant.id} and status = 'processing'`;
    return row?.count === 30;
  });
  const wallets = await Promise.all(times(20, () => loud.api.get(WALLET)));
  expect(wallets.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(answered).toBe(0);
  expect((await buying).map(({ status }) => status)).toEqual(Array(30).fill(202));
  await expectInvariantsToHold();
});
