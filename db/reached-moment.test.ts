import { expect, test } from "vitest";
import { withDatabase } from "#testing/database.ts";
import { sql } from "./client.ts";

withDatabase();

test("a row that is due by default is due at once, whichever part of a millisecond it is", async () => {
  const later: boolean[] = [];
  for (let row = 0; row < 40; row++) {
    const [catalogue] = await sql()`insert into catalogues (provider) values (${`bank-${row}`}) returning next_sync_at > now() as later`;
    later.push(catalogue?.later);
  }
  expect(later).not.toContain(true);
});

test("no column that says from when a row is due rounds `now()` up", async () => {
  const columns = await sql()`
    select table_name, column_name from information_schema.columns
    where table_schema in ('public', 'sandbox') and column_name ~ '^next_|^valid_from$|^due_at$|_until$' and column_default = 'now()'`;
  expect(columns).toEqual([]);
});
