import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { countMissedBy } from "../deliveries/count-missed.ts";
import { resendFailedSince } from "../deliveries/resend-since.ts";
import { anEndpoint, deliverMany } from "../webhooks.fixture.ts";

// One connection holds the lock, one is for looks, and one is for others.
withDatabase(undefined, { DATABASE_POOL_SIZE: "3" });

/** Locks all deliveries, so that looks wait. Returns what releases them. */
async function lockDeliveries(): Promise<() => Promise<unknown>> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = sql().begin(async (tx) => {
    await tx`lock table webhook_deliveries in access exclusive mode`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return () => {
    released.resolve();
    return holder;
  };
}

test("a merchant who counts and sends again many times at once leaves connections to others", async () => {
  const shop = await aMerchant();
  const endpoint = await anEndpoint(shop, "https://shop.example/oja");
  await deliverMany(endpoint, 1);
  const request = { since: new Date(Date.now() - HOUR_MS), after: 0 };
  const release = await lockDeliveries();
  const looks = [
    ...times(10, () => countMissedBy(shop.ctx, endpoint.id, request)),
    ...times(10, () => resendFailedSince(shop.ctx, endpoint.id, request)),
  ];
  // Queries of the pool take their order, so these come behind all those with which the looks begin.
  for (let i = 0; i < 20; i += 1) await sql()`select 1`;
  await release();
  expect(await Promise.all(looks)).toHaveLength(20);
});

test("a merchant's counts beyond 33 at once are refused, and resends wait however many there are", async () => {
  const shop = await aMerchant();
  const other = await aMerchant();
  const endpoint = await anEndpoint(shop, "https://shop.example/oja");
  const otherEndpoint = await anEndpoint(other, "https://other.example/oja");
  await deliverMany(endpoint, 1);
  const request = { since: new Date(Date.now() - HOUR_MS), after: 0 };
  const outcomes: string[] = [];
  const noted = (look: Promise<unknown>) =>
    look.then(
      () => outcomes.push("done"),
      ({ code }) => outcomes.push(code),
    );
  const release = await lockDeliveries();
  const looks = times(50, () => noted(countMissedBy(shop.ctx, endpoint.id, request)));
  await until(async () => outcomes.length === 17);
  const sending = times(5, () => noted(resendFailedSince(shop.ctx, endpoint.id, request)));
  const others = noted(countMissedBy(other.ctx, otherEndpoint.id, request));
  expect(outcomes).toEqual(Array(17).fill("RATE_LIMITED"));
  await release();
  await Promise.all([...looks, ...sending, others]);
  expect(outcomes.slice(17)).toEqual(Array(33 + 5 + 1).fill("done"));
});
