import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { settings } from "#lib/env.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { migrations } from "./migrations.fixture.ts";

withDatabase(async () => {});

test("an empty database that three processes migrate at once is migrated once, with its functions", async () => {
  await Promise.all(times(3, () => migrate(settings().DATABASE_URL)));
  expect(await sql()`select count(*)::int as merchants from merchants`).toEqual([{ merchants: 2 }]);
  const names = await sql()<{ name: string }[]>`
    select proname as name from pg_proc where pronamespace = 'public'::regnamespace and proname like 'ledger%' order by 1`;
  const plans = ["capture", "hold", "post", "release", "reverse"].map((kind) => `ledger_plan_${kind}`);
  expect(names.map(({ name }) => name)).toEqual([
    "ledger_cover",
    "ledger_decide",
    "ledger_lacks",
    ...plans,
    "ledger_post",
    "ledger_refusal",
  ]);
});

test("one snapshot of the schema is kept, that of the newest migration", () => {
  const folder = join(import.meta.dirname, "migrations");
  const newest = migrations().at(-1) ?? "";
  expect(globSync("meta/*_snapshot.json", { cwd: folder })).toEqual([`meta/${newest.slice(0, 4)}_snapshot.json`]);
});

test("a migrated database that is migrated again keeps its rows and functions", async () => {
  const functions = () => sql()`select oid, proname from pg_proc where pronamespace = 'public'::regnamespace order by 1`;
  const before = [...(await functions())];
  await migrate(settings().DATABASE_URL);
  expect([...(await functions())]).toEqual(before);
  expect(await sql()`select count(*)::int as merchants from merchants`).toEqual([{ merchants: 2 }]);
});

test("a database of the versions before the first release is refused in words, and stays as it is", async () => {
  await sql()`create function ledger_apply() returns int language sql as 'select 1'`;
  await expect(migrate(settings().DATABASE_URL)).rejects.toThrow(/before the first release/);
  expect(await sql()`select ledger_apply() as it`).toEqual([{ it: 1 }]);
});
