import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { aPhone, aVtuMerchant, orderVtuFault } from "#services/vtu/vtu.fixture.ts";
import { apiClient, expectError } from "#testing/api.ts";
import { GIVE_UP_MS, isUp, withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";

withDatabase();
const app = withApp({}, { pages: true });

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aVtuMerchant();
});

/** A busy machine starts a process slowly. This and `SOON_MS` are less than a lease on a key, which thus cannot run out in this test. */
const BACK_WITHIN_MS = 30_000;
/** From the moment when another process answers. */
const SOON_MS = 15_000;

test("a web process is killed amid a purchase: a retry with its key is answered as soon as another process has started, and buys nothing more", async () => {
  const api = apiClient(app, shop.key);
  const phone = aPhone();
  const headers = { "Idempotency-Key": "killed" };
  const send = () => api.post("/api/v1/vtu/airtime", { phone, network: "mtn", amount: 100 }, { headers });
  await orderVtuFault("sandbox", "buy", "hang_after", phone);
  const lost = send().catch(() => undefined);
  const purchases = () => sql()`select id from purchases where merchant_id = ${shop.merchant.id}`;
  await until(async () => (await purchases()).length === 1);
  expectError(await send(), "REQUEST_IN_PROGRESS", "unknown");
  process.kill(app.webPid(), "SIGKILL");
  expect(await lost).toBeUndefined();
  await until(() => isUp(app), BACK_WITHIN_MS);
  const answer = await until(async () => {
    const again = await Promise.race([send().catch(() => undefined), wait(GIVE_UP_MS)]);
    return again && again.status !== 409 && again;
  }, SOON_MS);
  const [bought] = await purchases();
  expect(answer).toMatchObject({ status: 202, body: { data: { reference: bought?.id, status: "processing" } } });
  expect(await purchases()).toHaveLength(1);
  await expectInvariantsToHold();
});
