import { expect, test } from "vitest";
import { newId } from "#lib/ids.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { countMissedBy } from "../deliveries/count-missed.ts";
import { findResent, resendFailedSince } from "../deliveries/resend-since.ts";
import { anEndpoint, deliverMany } from "../webhooks.fixture.ts";

// One connection, so that the database's counts of rows are of these queries.
withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const reach = { window: 500, total: 1_000 };
/** The reach, and what the search for the first event of a time reads. */
const MAX_ROWS = reach.total + 50;

test("if nothing was missed among 20,000 events, a count or a resend reads no more of them than its limit", async () => {
  const shop = await aMerchant();
  const endpoint = await anEndpoint(shop, "https://shop.example/oja");
  await deliverMany(endpoint, 20_000);
  const from = { since: new Date(Date.now() - HOUR_MS), after: 0 };
  const ctx = { ...shop.ctx, resourceId: newId("request") };
  const looks = {
    count: () => countMissedBy(ctx, endpoint.id, from, reach),
    resend: () => resendFailedSince(ctx, endpoint.id, from, { max: 10_000, reach }),
    replay: () => findResent(ctx, endpoint.id, from, ctx.resourceId, reach),
  };
  for (const [name, look] of Object.entries(looks)) {
    expect(await rowsRead("events", look), `events read by a ${name}`).toBeLessThanOrEqual(MAX_ROWS);
    expect(await rowsRead("webhook_deliveries", look), `deliveries read by a ${name}`).toBeLessThanOrEqual(MAX_ROWS);
  }
});
