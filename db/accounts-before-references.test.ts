import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { applyMigration, migrations } from "./migrations.fixture.ts";

const NOTICE = { accountNumber: "0123456789", sessionId: "s1" };

/** A database of the version before, with links and notices that wait, that is then brought to the newest. */
withDatabase(async (empty) => {
  for (const file of migrations()) {
    if (file.startsWith("0014")) {
      await empty`
        insert into payment_links (merchant_id, id, reference, amount, provider, provider_reference, account_number, account_name, bank_name,
          checkout_url, made_by, expires_at)
        values ('mer_a', 'pl_a', 'REF', 500000, 'sandbox', 'REF', '0123456789', 'Shop', 'Bank', 'https://bank.example', 'system:test', now() + interval '1 h')`;
      await empty`insert into one_time_accounts (provider, account_number, merchant_id, link_id) values ('sandbox', '0123456789', 'mer_a', 'pl_a')`;
      for (const [id, number, processed] of [
        ["waits", "0123456789", null],
        ["stray", "9999999999", null],
        ["done", "0123456789", "now"],
      ] as const) {
        await empty`
          insert into provider_notices (provider, notice_id, payload, processed_at)
          values ('sandbox', ${id}, ${JSON.stringify({ ...NOTICE, accountNumber: number })}::text::jsonb, ${processed}::timestamptz)`;
      }
      await empty`
        insert into sandbox.bank_accounts (reference, account_number, account_name, amount, closes_at) values ('REF', '0123456789', 'Shop', 500000, now())`;
      await empty`
        insert into sandbox.notices (notice_id, body, next_attempt_at) values ('n', '{"account_no": "0123456789"}', now()), ('m', '{"account_no": "1"}', now())`;
    }
    await applyMigration(empty, file);
  }
});

test("accounts that were known by their number have the reference of their link", async () => {
  expect(await sql()`select account_reference, account_number, link_id from one_time_accounts`).toEqual([
    { account_reference: "REF", account_number: "0123456789", link_id: "pl_a" },
  ]);
});

test("a notice that waits names its account by reference afterwards, or by the number where no account has it", async () => {
  expect(await sql()`select notice_id as id, payload->>'accountReference' as reference from provider_notices order by notice_id`).toEqual([
    { id: "done", reference: null },
    { id: "stray", reference: "9999999999" },
    { id: "waits", reference: "REF" },
  ]);
  expect(await sql()`select notice_id as id, body->>'reference' as reference from sandbox.notices order by notice_id`).toEqual([
    { id: "m", reference: "1" },
    { id: "n", reference: "REF" },
  ]);
});
