import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { aLink, eventTypesOf, hear, makeOverdue, noticeOf, walletOf } from "../services/checkout/checkout.fixture.ts";
import { purgeOldKeys } from "../services/idempotency/index.ts";
import { aMerchant, type TestMerchant } from "../services/merchants/merchant.fixture.ts";

withDatabase();
withApp();

let shop: TestMerchant;
let worker: ChildProcess;

beforeAll(async () => {
  shop = await aMerchant();
  worker = fork(join(import.meta.dirname, "main.ts"), [], { env: { ...process.env, LOG_LEVEL: "silent" }, execArgv: [] });
});
afterAll(() => {
  worker.kill("SIGKILL");
});

test("a link that nobody reads is expired when its time is over", async () => {
  await makeOverdue(await aLink(shop));
  await until(async () => (await eventTypesOf(shop)).includes("checkout.expired"));
});

test("a notice that a crash left behind is worked off", async () => {
  const link = await aLink(shop);
  const { amount, receivedAt, ...rest } = noticeOf(link);
  const payload = { ...rest, minor: String(amount.minor), currency: amount.currency, receivedAt: receivedAt.toISOString() };
  await sql()`insert into provider_notices (provider, notice_id, payload) values ('sandbox', ${rest.noticeId}, ${JSON.stringify(payload)}::text::jsonb)`;
  await until(async () => (await walletOf(shop)).minor === link.amount.minor);
  await expectInvariantsToHold();
});

test("money that was kept and refused is sent back", async () => {
  const link = await aLink(shop);
  const notice = noticeOf(link, { amount: naira(1) });
  await sql()`insert into sandbox.bank_transfers (session_id, account_number, amount, sender_name, made_at) values (${notice.sessionId}, ${link.accountNumber}, 100, 'x', now())`;
  await hear(notice);
  await until(
    async () => (await sql()`select 1 from bank_transfers where session_id = ${notice.sessionId} and return_state = 'done'`).length > 0,
  );
  await expectInvariantsToHold();
});

test("idempotency keys are forgotten after 30 days, and not before", async () => {
  const insert = (key: string, days: number) => sql()`
    insert into idempotency_keys (merchant_id, scope, key, body_hash, resource_id, locked_until, created_at)
    values (${shop.merchant.id}, 'POST /x', ${key}, 'h', 'r', now(), now() - ${days} * interval '1 day')`;
  await insert("old", 31);
  await insert("young", 29);
  expect(await purgeOldKeys()).toBe(1);
  expect(await sql()`select key from idempotency_keys where scope = 'POST /x'`).toEqual([{ key: "young" }]);
});

test("told to stop, it ends in peace", async () => {
  const ended = once(worker, "exit");
  worker.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});
