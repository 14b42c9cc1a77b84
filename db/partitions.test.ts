import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Sql, sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { accountBalance, aLink, eventTypesOf, hear, noticeOf } from "../services/checkout/checkout.fixture.ts";
import { claimKey } from "../services/idempotency/index.ts";
import { aMerchant } from "../services/merchants/merchant.fixture.ts";

/** The migrations as they are, with every tenant table made four hash partitions as soon as the tables stand. */
withDatabase(async (empty) => {
  const [tables = "", ...rest] = globSync("*.sql", { cwd: join(import.meta.dirname, "migrations") }).toSorted();
  await apply(empty, tables);
  for (const { name } of await tenantTables(empty)) await partition(empty, name);
  for (const file of rest) await apply(empty, file);
});
withApp();

async function apply(query: Sql, file: string): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, "migrations", file), "utf8");
  for (const statement of text.split("--> statement-breakpoint")) await query.unsafe(statement);
}

/** Found by what they are, not by a list: a tenant table has `merchant_id` as the first column of its primary key. */
const tenantTables = (query: Sql) => query<{ name: string }[]>`
  select c.relname as name from pg_class c
  join pg_index i on i.indrelid = c.oid and i.indisprimary
  join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attname = 'merchant_id' order by 1`;

const DIRECTORIES = ["api_keys", "bank_sessions", "one_time_accounts", "payment_references"];

test("every table that names a merchant is led by it, but for the small directories", async () => {
  const led = (await tenantTables(sql())).map(({ name }) => name);
  const named = await sql()<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'merchant_id' and table_name not similar to '%\\_p[0-9]' order by 1`;
  expect(named.map(({ name }) => name).filter((name) => !led.includes(name))).toEqual(DIRECTORIES);
});

/** Makes an empty table anew in four hash partitions. Fails where a unique constraint does not name the merchant. */
async function partition(query: Sql, table: string): Promise<void> {
  const keys = await query<{ name: string; child: string; definition: string }[]>`
    select conname as name, conrelid::regclass::text as child, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and (conrelid = ${table}::regclass or confrelid = ${table}::regclass)`;
  for (const { name, child } of keys) await query.unsafe(`alter table ${child} drop constraint ${name}`);
  await query.unsafe(`alter table ${table} rename to whole`);
  await query.unsafe(`create table ${table} (like whole including all) partition by hash (merchant_id)`);
  await query.unsafe("drop table whole");
  for (let part = 0; part < 4; part++) {
    await query.unsafe(`create table ${table}_p${part} partition of ${table} for values with (modulus 4, remainder ${part})`);
  }
  for (const { name, child, definition } of keys) await query.unsafe(`alter table ${child} add constraint ${name} ${definition}`);
}

test("every tenant table stands in partitions", async () => {
  const tables = await tenantTables(sql());
  const [{ partitioned } = { partitioned: 0n }] = await sql()<
    { partitioned: bigint }[]
  >`select count(*) as partitioned from pg_partitioned_table`;
  expect(Number(partitioned)).toBe(tables.length);
  expect(tables.length).toBeGreaterThan(8);
});

test("a link is made and paid on them, once, and the ledger is sound", async () => {
  const shop = await aMerchant();
  const link = await aLink(shop);
  const notice = noticeOf(link);
  const claim = { merchantId: shop.merchant.id, scope: "POST /x", key: "k", bodyHash: "h" };
  expect(await claimKey(claim, () => "made")).toMatchObject({ status: "run", resourceId: "made", resumed: false });
  await expect(claimKey(claim, () => "other")).rejects.toMatchObject({ code: "REQUEST_IN_PROGRESS" });
  await Promise.all([hear(notice), hear(notice)]);
  expect(await accountBalance(shop.merchant.id, "wallet")).toBe(500_000n);
  expect(await eventTypesOf(shop)).toEqual(["checkout.success"]);
  await expect(sql()`delete from ledger_entries`).rejects.toThrow(/append-only/);
  await expectInvariantsToHold();
});
