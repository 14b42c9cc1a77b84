import { expect, test } from "vitest";
import { tableWrittenBy } from "./postgres-proxy.ts";

test.each([
  ["insert into bank_sessions (a) values ($1)", "bank_sessions"],
  ['insert into "bank_sessions" ("a") values ($1)', "bank_sessions"],
  ["with next as (update event_counters set x = 1 returning x) insert into events select 1", "event_counters"],
  ["  delete from idempotency_keys where a = 1", "idempotency_keys"],
  ["update sandbox.notices set attempts = 1", "sandbox.notices"],
  ['update "sandbox"."notices" set attempts = 1', "sandbox.notices"],
  ["select * from ledger_post($1, $2)", "ledger"],
  ["select * from claim_purchases($1, $2)", "claim_purchases"],
  ["select * from settle_purchases($1, $2)", "settle_purchases"],
  ["select 1", undefined],
  ["select * from payment_links for update", undefined],
  ["select 1 from payment_links for update skip locked", undefined],
  ["begin", undefined],
])("%s writes %s", (statement, table) => {
  expect(tableWrittenBy(statement)).toBe(table);
});
