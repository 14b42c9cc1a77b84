import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";

withDatabase();

/** Returns names and types of a table's or a type's columns, in their order. */
const columnsOf = (name: string) => sql()`
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type from pg_attribute a
  where a.attrelid = ${name}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`;

// Functions read rows into these types and insert arrays of them by position.
test.each([
  ["ledger_transfer", "ledger_transfers"],
  ["ledger_entry", "ledger_entries"],
])("the type %s has the columns of %s, in their order", async (type, table) => {
  const columns = await columnsOf(table);
  expect(columns.length).toBeGreaterThan(8);
  expect(await columnsOf(type)).toEqual(columns);
});
