import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { accountBalance, aLink, eventTypesOf, hear, noticeOf } from "../services/checkout/checkout.fixture.ts";
import { aMerchant } from "../services/merchants/merchant.fixture.ts";

withDatabase();

/** Found by what they are, not by a list: a tenant table has `merchant_id` as the first column of its primary key. */
const tenantTables = () => sql()<{ name: string }[]>`
  select c.relname as name from pg_class c
  join pg_index i on i.indrelid = c.oid and i.indisprimary
  join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'merchant_id' order by 1`;

const DIRECTORIES = ["api_keys", "bank_sessions", "one_time_accounts", "payment_references"];

test("every table that names a merchant is led by it, but for the small directories", async () => {
  const led = (await tenantTables()).map(({ name }) => name);
  const named = await sql()<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'merchant_id' order by 1`;
  expect(named.map(({ name }) => name).filter((name) => !led.includes(name))).toEqual(DIRECTORIES);
});

/** Puts a table's rows into four hash partitions. Fails where a unique constraint does not name the merchant. */
async function partition(table: string): Promise<void> {
  const query = sql();
  const triggers = await query<{ definition: string }[]>`
    select pg_get_triggerdef(oid) as definition from pg_trigger where tgrelid = ${table}::regclass and not tgisinternal`;
  const keys = await query<{ name: string; child: string; definition: string }[]>`
    select conname as name, conrelid::regclass::text as child, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and (conrelid = ${table}::regclass or confrelid = ${table}::regclass)`;
  for (const { name, child } of keys) await query.unsafe(`alter table ${child} drop constraint ${name}`);
  await query.unsafe(`alter table ${table} rename to ${table}_whole`);
  await query.unsafe(`create table ${table} (like ${table}_whole including all) partition by hash (merchant_id)`);
  for (let part = 0; part < 4; part++) {
    await query.unsafe(`create table ${table}_p${part} partition of ${table} for values with (modulus 4, remainder ${part})`);
  }
  await query.unsafe(`insert into ${table} select * from ${table}_whole`);
  for (const { definition } of triggers) await query.unsafe(definition);
  for (const { name, child, definition } of keys) await query.unsafe(`alter table ${child} add constraint ${name} ${definition}`);
}

test("the schema works when every tenant table is partitioned by merchant", async () => {
  for (const { name } of await tenantTables()) await partition(name);
  const [{ partitioned } = { partitioned: 0n }] = await sql()<{ partitioned: bigint }[]>`
    select count(*) as partitioned from pg_partitioned_table`;
  expect(Number(partitioned)).toBeGreaterThan(8);
});

const app = withApp();

test("a link is made and paid on it, once, and the ledger is sound", async () => {
  expect(app.url).not.toBe("");
  const shop = await aMerchant();
  const link = await aLink(shop);
  const notice = noticeOf(link);
  await Promise.all([hear(notice), hear(notice)]);
  expect(await accountBalance(shop.merchant.id, "wallet")).toBe(500_000n);
  expect(await eventTypesOf(shop)).toEqual(["checkout.success"]);
  await expect(sql()`delete from ledger_entries`).rejects.toThrow(/append-only/);
  await expectInvariantsToHold();
});
