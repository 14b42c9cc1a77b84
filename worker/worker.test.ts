import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { systemContext } from "#services/context.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withReceivers } from "#testing/receiver.ts";
import { times, until } from "#testing/until.ts";
import { aLink, eventTypesOf, hear, makeOverdue, noticeOf, walletOf } from "../services/checkout/checkout.fixture.ts";
import { getLinkByReference } from "../services/checkout/links/read-links.ts";
import { purgeOldIdempotencyKeys } from "../services/idempotency/index.ts";
import { aMerchant, type TestMerchant } from "../services/merchants/merchant.fixture.ts";
import { buyProduct } from "../services/vtu/index.ts";
import { airtime, aPhone, aVtuMerchant, tellAggregator, walletOf as vtuWalletOf } from "../services/vtu/vtu.fixture.ts";
import { anEndpoint, anEvent, deliveriesOf } from "../services/webhooks/webhooks.fixture.ts";
import { JOBS } from "./tasks.ts";

withDatabase(undefined, { OJA_ALLOW_LOOPBACK_WEBHOOKS: "1" });
withApp();
const aReceiver = withReceivers();

const workers: ChildProcess[] = [];
function startWorker(env: Record<string, string> = {}, execArgv: string[] = []): ChildProcess {
  const child = fork(join(import.meta.dirname, "main.ts"), [], { env: { ...process.env, LOG_LEVEL: "silent", ...env }, execArgv });
  workers.push(child);
  return child;
}
/** Ends a worker. Returns its exit code and signal. */
async function stopWorker(child: ChildProcess, signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<unknown[]> {
  if (child.exitCode !== null || child.signalCode !== null) return [child.exitCode, child.signalCode];
  const ended = once(child, "exit");
  child.kill(signal);
  return ended;
}
const stopWorkers = () => Promise.all(workers.splice(0).map((child) => stopWorker(child, "SIGKILL")));

let shop: TestMerchant;
let worker: ChildProcess;
beforeAll(async () => {
  shop = await aMerchant();
  worker = startWorker();
});
afterAll(stopWorkers);

async function aSubscriber() {
  const [merchant, receiver] = [await aMerchant(), await aReceiver()];
  return { shop: merchant, receiver, endpoint: await anEndpoint(merchant, receiver.url) };
}

test("an overdue link is expired by the worker, although nothing reads the link", async () => {
  await makeOverdue(await aLink(shop));
  await until(async () => (await eventTypesOf(shop)).includes("checkout.expired"));
});

test("a notice that was stored before a crash is processed after it", async () => {
  const link = await aLink(shop);
  const { amount, receivedAt, ...rest } = noticeOf(link);
  const payload = { ...rest, minor: String(amount.minor), currency: amount.currency, receivedAt: receivedAt.toISOString() };
  await sql()`insert into provider_notices (provider, notice_id, payload) values ('sandbox', ${rest.noticeId}, ${JSON.stringify(payload)}::text::jsonb)`;
  await until(async () => (await walletOf(shop)).minor === link.amount.minor);
  await expectInvariantsToHold();
});

test("an underpayment is sent back to its bank", async () => {
  const link = await aLink(shop);
  const notice = noticeOf(link, { amount: naira(1) });
  await sql()`insert into sandbox.bank_transfers (session_id, account_number, amount, sender_name, made_at) values (${notice.sessionId}, ${link.accountNumber}, 100, 'x', now())`;
  await hear(notice);
  await until(
    async () => (await sql()`select 1 from bank_transfers where session_id = ${notice.sessionId} and return_state = 'done'`).length > 0,
  );
  await expectInvariantsToHold();
});

test("idempotency keys are deleted after 30 days, and not before", async () => {
  const insert = (key: string, days: number) => sql()`
    insert into idempotency_keys (merchant_id, scope, key, body_hash, resource_id, locked_until, process_id, created_at)
    values (${shop.merchant.id}, 'POST /x', ${key}, 'h', 'r', now(), 'p', now() - ${days} * interval '1 day')`;
  await insert("old", 31);
  await insert("young", 29);
  // The worker of this file runs the same job once an hour, and may have deleted the key first.
  expect(await purgeOldIdempotencyKeys(systemContext("test"))).toBeLessThanOrEqual(1);
  expect(await sql()`select key from idempotency_keys where scope = 'POST /x'`).toEqual([{ key: "young" }]);
});

/** Makes a job due, as its time does. Waits for the end of a run, because that end stores the job's next time over this one. */
const makeDue = (job: string) =>
  until(
    async () => (await sql()`update schedules set due_at = now() where name = ${job} and locked_until is null returning name`).length === 1,
  );
const untilEnded = (job: string) =>
  until(async () => (await sql()`select from schedules where name = ${job} and locked_until is null`).length === 1);

test("the worker checks the books when the check is due, and an account that disagrees with its entries alerts operators", async () => {
  const { merchant } = await aMerchant();
  const spoil = (kobo: number) =>
    sql()`update ledger_accounts set posted_credits = posted_credits + ${kobo} where merchant_id = ${merchant.id} and account = 'wallet'`;
  await spoil(1);
  await makeDue("checkInvariants");
  await until(
    async () =>
      (
        await sql()`select from alerts where type = 'invariant.broken' and resource_id like '%columns equal%' and message like ${`%${merchant.id}%`}`
      ).length > 0,
  );
  await spoil(-1);
  await expectInvariantsToHold();
});

test("the worker makes the next weeks of both logs when that is due", async () => {
  const newest = async (log: string) =>
    (await sql()<{ name: string }[]>`select max(inhrelid::regclass::text) as name from pg_inherits where inhparent = ${log}::regclass`)[0]
      ?.name;
  for (const log of ["request_log", "webhook_attempts"]) {
    const name = await newest(log);
    await sql().unsafe(`drop table ${name}`);
    await makeDue("keepWeeksOfLogs");
    await until(async () => (await newest(log)) === name);
    await untilEnded("keepWeeksOfLogs");
  }
});

test("the schedule that is emptied while the worker runs is made again, and nothing is lost", async () => {
  const { shop: merchant, receiver } = await aSubscriber();
  const names = async () => (await sql()`select name from schedules`).map(({ name }) => name).toSorted();
  await until(async () => (await names()).length === Object.keys(JOBS).length);
  await sql()`delete from schedules`;
  await anEvent(merchant);
  await makeOverdue(await aLink(shop));
  await until(async () => receiver.received.length === 1);
  await until(async () => (await eventTypesOf(shop)).includes("checkout.expired"));
  await until(async () => (await names()).length === Object.keys(JOBS).length, 30_000);
  expect(await names()).toEqual(Object.keys(JOBS).toSorted());
});

test("a worker that gets SIGTERM finishes its attempt, releases its lease and exits with 0", async () => {
  const { shop: merchant, receiver, endpoint } = await aSubscriber();
  const answer = Promise.withResolvers<{ status: number }>();
  receiver.behave(() => answer.promise);
  await anEvent(merchant);
  await until(async () => receiver.received.length === 1);
  const ended = stopWorker(worker);
  const later = await anEvent(merchant).then(() => deliveriesOf(endpoint));
  answer.resolve({ status: 200 });
  expect(await ended).toEqual([0, null]);
  expect((await deliveriesOf(endpoint)).map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
    ["delivered", 1],
    ["pending", 0],
  ]);
  expect(later).toHaveLength(2);
  expect(await sql()`select 1 from webhook_endpoints where leased_by is not null`).toHaveLength(0);
});

test("a delivery whose worker is killed during an attempt is delivered by another worker within 60 s", async () => {
  const { shop: merchant, receiver, endpoint } = await aSubscriber();
  const killed = startWorker();
  receiver.behave(() => "hang");
  await anEvent(merchant);
  await until(async () => receiver.received.length === 1);
  await stopWorker(killed, "SIGKILL");
  const killedAt = performance.now();
  receiver.behave(() => ({ status: 200 }));
  startWorker();
  await until(async () => (await deliveriesOf(endpoint))[0]?.status === "delivered", 60_000);
  expect(performance.now() - killedAt).toBeLessThan(60_000);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  await stopWorkers();
}, 180_000);

test("two workers share the work, and each row is processed by one of them", async () => {
  const { shop: merchant, receiver, endpoint } = await aSubscriber();
  startWorker();
  startWorker();
  const links = await Promise.all(times(20, () => aLink(merchant)));
  await Promise.all(links.map((link) => makeOverdue(link)));
  await until(async () => {
    const rows = await deliveriesOf(endpoint);
    return rows.length === 20 && rows.every(({ status }) => status === "delivered");
  }, 60_000);
  expect(await eventTypesOf(merchant)).toHaveLength(20);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
  expect(receiver.received).toHaveLength(20);
  await stopWorkers();
}, 180_000);

/** A script that runs before the worker and sets its clock a month ahead. */
const WRONG_CLOCK = `data:text/javascript,${encodeURIComponent(`
  const Real = Date;
  const off = 30 * 86_400_000;
  globalThis.Date = class extends Real {
    constructor(...given) { given.length === 0 ? super(Real.now() + off) : super(...given); }
    static now() { return Real.now() + off; }
  };`)}`;

test("a worker with a wrong clock and time zone still does its work at the right time", async () => {
  const { shop: merchant, receiver, endpoint } = await aSubscriber();
  receiver.behave(() => ({ status: 500 }));
  startWorker({ TZ: "Pacific/Kiritimati" }, ["--import", WRONG_CLOCK]);
  const [early, overdue] = [await aLink(merchant), await aLink(merchant)];
  await makeOverdue(overdue);
  await until(async () => receiver.received.length === 1);
  const [one] = receiver.received;
  new Webhook(endpoint.secret).verify(one?.body ?? "", one?.headers as Record<string, string>);
  const [row] = await until(async () => {
    const rows = await sql()<{ wait_s: number }[]>`
      select extract(epoch from d.next_attempt_at - a.started_at)::float8 as wait_s
      from webhook_deliveries d join webhook_attempts a on a.merchant_id = d.merchant_id and a.delivery_id = d.id
      where d.endpoint_id = ${endpoint.id} and d.attempt_count = 1`;
    return rows.length > 0 && rows;
  });
  // The second attempt is due 5 s after the end of the first, by the database's clock. The other delays are 0 and 300 s or more.
  expect(row?.wait_s).toBeGreaterThan(1);
  expect(row?.wait_s).toBeLessThan(100);
  expect((await getLinkByReference(merchant.ctx, early.reference)).status).toBe("pending");
  expect(await eventTypesOf(merchant)).toEqual(["checkout.expired"]);
}, 180_000);

test("purchases whose requeries die with their worker are settled once each by the next workers", async () => {
  await stopWorkers();
  const [wallet, price] = [5_000, 500];
  const merchant = await aVtuMerchant({ wallet });
  const phones = Array.from({ length: 10 }, (_, n) => aPhone(n % 2 === 0 ? "1111" : "2222"));
  const bought = await Promise.all(phones.map((phone) => buyProduct(merchant.ctx, airtime({ phone, amount: naira(price) }))));
  expect(new Set(bought.map(({ status }) => status))).toEqual(new Set(["processing"]));
  // The aggregator has decided every order and its notices are lost. The first requery of each order hangs.
  await sql()`delete from sandbox.notices`;
  await sql()`update sandbox.vtu_orders set state = next_state, next_state = null, due_at = null where due_at is not null`;
  for (const subject of phones) await tellAggregator("sandbox", "faults", { operation: "order", subject, fault: "hang_before" });
  const due = () =>
    sql()`update purchases set next_attempt_at = now() - interval '1 second' where merchant_id = ${merchant.merchant.id} and status = 'processing'`;
  await due();
  const victim = startWorker();
  const requeried = async () =>
    (await sql()`select from purchases where merchant_id = ${merchant.merchant.id} and fencing_token > 0`).length;
  await until(async () => (await requeried()) === phones.length);
  await stopWorker(victim, "SIGKILL");
  await due();
  await sql()`delete from sandbox.provider_faults`;
  startWorker();
  startWorker();
  await until(
    async () => (await sql()`select from purchases where merchant_id = ${merchant.merchant.id} and status = 'processing'`).length === 0,
    60_000,
  );
  expect(await vtuWalletOf(merchant.merchant.id)).toEqual({ balance: naira(wallet - 5 * price).minor, held: 0n });
  expect((await eventTypesOf(merchant)).toSorted()).toEqual([...Array(5).fill("vtu.failed"), ...Array(5).fill("vtu.success")]);
  await expectInvariantsToHold();
}, 180_000);
