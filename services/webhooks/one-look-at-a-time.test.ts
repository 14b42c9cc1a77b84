import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aMerchant } from "../merchants/merchant.fixture.ts";
import { countMissedBy } from "./count-missed.ts";
import { resendFailedSince } from "./resend-since.ts";
import { anEndpoint, deliverMany } from "./webhooks.fixture.ts";

// One connection holds the lock, one is for looks, and one is for others.
withDatabase(undefined, { DATABASE_POOL_SIZE: "3" });

test("a merchant who counts and sends again many times at once leaves connections to others", async () => {
  const shop = await aMerchant();
  const endpoint = await anEndpoint(shop, "https://shop.example/oja");
  await deliverMany(endpoint, 1);
  const request = { since: new Date(Date.now() - HOUR_MS), after: 0 };
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = sql().begin(async (tx) => {
    await tx`lock table webhook_deliveries in access exclusive mode`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const looks = [
    ...times(10, () => countMissedBy(shop.ctx, endpoint.id, request)),
    ...times(10, () => resendFailedSince(shop.ctx, endpoint.id, request)),
  ];
  // Queries of the pool take their order, so these come behind all those with which the looks begin.
  for (let i = 0; i < 20; i += 1) await sql()`select 1`;
  released.resolve();
  await holder;
  expect(await Promise.all(looks)).toHaveLength(20);
});

test("more than 32 counts of a merchant do not wait, and sending again waits however many there are", async () => {
  const shop = await aMerchant();
  const other = await aMerchant();
  const endpoint = await anEndpoint(shop, "https://shop.example/oja");
  const otherEndpoint = await anEndpoint(other, "https://other.example/oja");
  await deliverMany(endpoint, 1);
  const request = { since: new Date(Date.now() - HOUR_MS), after: 0 };
  const outcomeOf = (look: Promise<unknown>) =>
    look.then(
      () => "done",
      ({ code }) => code,
    );
  const counts = times(50, () => outcomeOf(countMissedBy(shop.ctx, endpoint.id, request)));
  const sending = times(5, () => outcomeOf(resendFailedSince(shop.ctx, endpoint.id, request)));
  const others = outcomeOf(countMissedBy(other.ctx, otherEndpoint.id, request));
  const outcomes = await Promise.all(counts);
  expect(outcomes.filter((outcome) => outcome === "RATE_LIMITED").length).toBeGreaterThan(0);
  expect(outcomes.filter((outcome) => outcome === "done").length).toBeGreaterThanOrEqual(33);
  expect(await Promise.all([...sending, others])).toEqual(Array(6).fill("done"));
});
