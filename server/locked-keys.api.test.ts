import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { aPhone, aVtuMerchant, orderVtuFault } from "#services/vtu/vtu.fixture.ts";
import { apiClient } from "#testing/api.ts";
import { isUp, withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";

withDatabase();
const app = withApp({}, { pages: true });

/** From the moment when the next process waits for the locked key. Half of the time after which PostgreSQL ends that statement. */
const SOON_MS = 15_000;

test("a web process starts although a statement of the process that died still locks the keys of its requests", async () => {
  const api = apiClient(app, (await aVtuMerchant()).key);
  const phone = aPhone();
  await orderVtuFault("sandbox", "buy", "hang_after", phone);
  const lost = api
    .post("/api/v1/vtu/airtime", { phone, network: "mtn", amount: 100 }, { headers: { "Idempotency-Key": "locked" } })
    .catch(() => undefined);
  await sql().begin(async (tx) => {
    await until(async () => (await tx`select 1 from idempotency_keys where key = 'locked'`).length === 1);
    await tx`select 1 from idempotency_keys where key = 'locked' for update`;
    process.kill(app.webPid(), "SIGKILL");
    await lost;
    const waiting = () => tx`select 1 from pg_locks where not granted and transactionid = pg_current_xact_id()::xid`;
    await until(async () => (await waiting()).length === 1);
    await until(() => isUp(app), SOON_MS);
    expect(await tx`select state from idempotency_keys where key = 'locked'`).toEqual([{ state: "running" }]);
  });
  await until(async () => (await sql()`select 1 from idempotency_keys where key = 'locked' and state = 'unknown'`).length === 1);
});
