import { expect, test } from "vitest";
import { type Sql, sql } from "#db/client.ts";
import { installFunctions } from "#db/functions.ts";
import { makeWeeks } from "#db/weeks.ts";
import { dollars } from "#lib/money.ts";
import { newLinkReference } from "#lib/references.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withReceivers } from "#testing/receiver.ts";
import { times, until } from "#testing/until.ts";
import { aCard, aCardMerchant, spendOf } from "../services/cards/cards.fixture.ts";
import { changeCard, getCard, revealDetails, simulateSpend, unloadCard } from "../services/cards/index.ts";
import { accountBalance, aLink, eventTypesOf, hear, noticeOf } from "../services/checkout/checkout.fixture.ts";
import { claimKey } from "../services/idempotency/index.ts";
import { aMerchant } from "../services/merchants/merchant.fixture.ts";
import { buyProduct } from "../services/vtu/index.ts";
import { airtime, aPhone, aVtuMerchant, purchaseThatIs } from "../services/vtu/vtu.fixture.ts";
import { changeEndpoint, Dispatcher, deleteEndpoint } from "../services/webhooks/index.ts";
import { anEndpoint, deliveriesOf } from "../services/webhooks/webhooks.fixture.ts";
import { applyMigration, migrations } from "./migrations.fixture.ts";

/** Tables that the migrations split themselves, by time. */
const LOGS = ["request_log", "webhook_attempts"];

/** Runs the real migrations, and splits every other tenant table into four hash partitions as soon as it exists. */
withDatabase(async (empty) => {
  process.env.OJA_ALLOW_LOOPBACK_WEBHOOKS = "1";
  for (const file of migrations()) {
    await applyMigration(empty, file);
    for (const { name } of await tenantTables(empty, "r")) if (!LOGS.includes(name)) await partition(empty, name);
  }
  await installFunctions(empty);
  await makeWeeks(empty);
});
withApp();
withCardSweeps();
const aReceiver = withReceivers();

/** Returns all tenant tables. A tenant table has `merchant_id` as the first column of its primary key; that of accounts begins with the name (docs/decisions/0038). */
const tenantTables = (query: Sql, kind: "r" | "p") => query<{ name: string }[]>`
  select c.relname as name from pg_class c
  join pg_index i on i.indrelid = c.oid and i.indisprimary
  join pg_attribute a on a.attrelid = c.oid and (a.attnum = i.indkey[0] or c.relname = 'ledger_accounts' and a.attnum = i.indkey[1])
  where c.relnamespace = 'public'::regnamespace and c.relkind = ${kind} and not c.relispartition and a.attname = 'merchant_id' order by 1`;

/** `proposals` is the operators', and few rows. */
const DIRECTORIES = ["api_keys", "bank_sessions", "issuer_references", "one_time_accounts", "proposals"];

test("every table with a merchant_id has it first in its primary key, except the small directories", async () => {
  const partitioned = (await tenantTables(sql(), "p")).map(({ name }) => name);
  const withMerchant = await sql()<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'merchant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`;
  expect(withMerchant.map(({ name }) => name).filter((name) => !partitioned.includes(name))).toEqual(DIRECTORIES);
});

/** Replaces an empty table by one with four hash partitions. Throws if a unique constraint of it does not include the merchant. */
async function partition(query: Sql, table: string): Promise<void> {
  const keys = await query<{ name: string; child: string; definition: string }[]>`
    select conname as name, conrelid::regclass::text as child, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and (conrelid = ${table}::regclass or confrelid = ${table}::regclass)`;
  for (const { name, child } of keys) await query.unsafe(`alter table ${child} drop constraint ${name}`);
  await query.unsafe(`alter table ${table} rename to whole`);
  await query.unsafe(`create table ${table} (like whole including all) partition by hash (merchant_id)`);
  await query.unsafe("drop table whole");
  const [key] = await query<
    { name: string }[]
  >`select conname as name from pg_constraint where conrelid = ${table}::regclass and contype = 'p'`;
  await query.unsafe(`alter table ${table} rename constraint ${key?.name} to ${table}_pkey`);
  for (let part = 0; part < 4; part++) {
    await query.unsafe(`create table ${table}_p${part} partition of ${table} for values with (modulus 4, remainder ${part})`);
  }
  for (const { name, child, definition } of keys) await query.unsafe(`alter table ${child} add constraint ${name} ${definition}`);
}

test("every tenant table is partitioned", async () => {
  expect(await tenantTables(sql(), "r")).toEqual([]);
  expect((await tenantTables(sql(), "p")).length).toBeGreaterThan(12);
});

test("a card on partitioned tables is issued, funded, spent from and terminated", async () => {
  const shop = await aCardMerchant();
  const card = await aCard(shop, { balance: 10 });
  const authorization = await simulateSpend(shop.ctx, card.id, spendOf({ amount: dollars(4) }));
  await simulateSpend(shop.ctx, card.id, spendOf({ type: "CLEARING", amount: dollars(3), related_transaction_id: authorization.id }));
  await unloadCard(shop.ctx, card.id, { amount: dollars(2) });
  await changeCard(shop.ctx, card.id, "terminate");
  await revealDetails(shop.ctx, (await aCard(shop)).id);
  expect((await getCard(shop.ctx, card.id)).status).toBe("TERMINATED");
  await expect(sql()`update audit_entries set action = 'nothing'`).rejects.toThrow(/append-only/);
  await expectInvariantsToHold();
});

test("purchases on partitioned tables are claimed, settled and reversed", async () => {
  const shop = await aVtuMerchant();
  await Promise.all(times(8, () => buyProduct(shop.ctx, airtime())));
  const order = airtime({ phone: aPhone("5555") });
  const { id } = await buyProduct(shop.ctx, order);
  await expect(buyProduct(shop.ctx, order)).rejects.toMatchObject({ code: "DUPLICATE_PURCHASE" });
  await purchaseThatIs("reversed", shop, id);
  await expectInvariantsToHold();
});

test("several tries of one link at once on partitioned tables make one", async () => {
  const shop = await aMerchant();
  const resourceId = newLinkReference(shop.merchant.number);
  const links = await Promise.all(times(3, () => aLink({ ...shop, ctx: { ...shop.ctx, resourceId } })));
  expect(new Set(links.map(({ id }) => id)).size).toBe(1);
});

test("a link on partitioned tables is credited once, its event is delivered, and the ledger is sound", async () => {
  const shop = await aMerchant();
  const receiver = await aReceiver();
  const endpoint = await anEndpoint(shop, receiver.url);
  const link = await aLink(shop);
  const notice = noticeOf(link);
  const claim = { merchantId: shop.merchant.id, scope: "POST /x", key: "k", bodyHash: "h" };
  expect(await claimKey(claim, () => "made")).toMatchObject({ status: "run", resourceId: "made", resumed: false });
  await expect(claimKey(claim, () => "other")).rejects.toMatchObject({ code: "REQUEST_IN_PROGRESS" });
  await Promise.all([hear(notice), hear(notice)]);
  expect(await accountBalance(shop.merchant.id, "wallet")).toBe(link.amount.minor);
  expect(await eventTypesOf(shop)).toEqual(["checkout.success"]);
  const dispatcher = new Dispatcher();
  await dispatcher.sweep();
  await until(async () => (await deliveriesOf(endpoint))[0]?.status === "delivered");
  await dispatcher.stop();
  await changeEndpoint(shop.ctx, endpoint.id, { status: "disabled" });
  await deleteEndpoint(shop.ctx, endpoint.id);
  await dispatcher.sweep();
  await expect(sql()`delete from ledger_entries`).rejects.toThrow(/append-only/);
  await expectInvariantsToHold();
});
