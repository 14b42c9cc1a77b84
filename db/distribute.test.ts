import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Sql, sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";

// No Citus is installed here. Functions of the same names refuse what its documentation and source say that it refuses.

withDatabase();

const read = (file: string) => readFileSync(join(import.meta.dirname, file), "utf8");
const SCRIPT = read("distribute.sql");

class Undone extends Error {}

/** Runs `use` in a transaction that has the functions, and undoes all of it. */
async function onACluster<T>(use: (query: Sql) => Promise<T>): Promise<T> {
  let result: T | undefined;
  await sql()
    .begin(async (tx) => {
      await tx.unsafe(read("distribute.fixture.sql"));
      result = await use(tx as unknown as Sql);
      throw new Undone();
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error;
    });
  return result as T;
}

/** The script runs in the transaction of its test. */
const distribute = (query: Sql, script = SCRIPT) => query.unsafe(script.replace(/^begin;$/m, "").replace(/^commit;$/m, ""));

/** Tables that stay on the coordinator. */
const STAY = [
  ...["bank_days", "bank_sessions", "issuer_references", "one_time_accounts", "provider_notices", "statement_differences"],
  ...["audit_entries", "audit_heads", "export_leases", "invitations", "mail_choices", "mails"],
  ...[
    "factor_removals",
    "known_devices",
    "mailed_codes",
    "passkey_challenges",
    "passkeys",
    "recovery_codes",
    "sessions",
    "sign_in_failures",
    "sign_in_tickets",
    "totp_secrets",
  ],
  ...[
    "user_tokens",
    "bank_health",
    "catalogues",
    "check_runs",
    "product_prices",
    "products",
    "proposals",
    "provider_checks",
    "schedules",
    "sql_functions",
  ],
];

test("every table is distributed by merchant, copied to every server or listed to stay, and copied tables of merchants are small", async () => {
  await onACluster(async (query) => {
    await distribute(query);
    const tables = await query<{ name: string; kind: string | null; has_merchant: boolean }[]>`
      select c.relname as name, s.kind, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id') as has_merchant
      from pg_class c left join spread s on s.relation = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'spread' order by 1`;
    expect(tables.filter(({ kind }) => kind === null).map(({ name }) => name)).toEqual(STAY.toSorted());
    expect(tables.filter(({ kind }) => kind === "distributed").length).toBeGreaterThan(30);
    const small = tables.filter(({ kind, has_merchant }) => has_merchant && kind === "reference").map(({ name }) => name);
    expect(small).toEqual([
      "api_keys",
      "card_fees",
      "exchange_rates",
      "fallback_banks",
      "merchant_areas",
      "merchant_providers",
      "payout_fees",
      "payout_limits",
    ]);
    const pointing = await query`
      select k.conname from pg_constraint k join spread s on s.relation = k.confrelid and s.kind = 'distributed'
      where k.contype = 'f' and not exists (select from spread o where o.relation = k.conrelid and o.kind = 'distributed')`;
    expect(pointing).toEqual([]);
  });
});

test.each([
  [
    "a unique constraint without the merchant",
    "alter table events add constraint everywhere unique (id)",
    /cannot create constraint on "events"/,
  ],
  [
    "a unique index without the merchant",
    "create unique index everywhere on cards (last4) where status = 'ACTIVE'",
    /cannot create constraint on "cards": everywhere/,
  ],
  [
    "a reference to a table that stays",
    "alter table alerts add column mail text, add constraint to_mail foreign key (mail) references mails (id)",
    /cannot create foreign key constraint to_mail/,
  ],
  [
    "a reference to another column than the merchant",
    `alter table cards add constraint twice unique (merchant_id, last4, id);
     alter table alerts add constraint crossed foreign key (resource_id, type, merchant_id) references cards (merchant_id, last4, id)`,
    /cannot create foreign key constraint crossed/,
  ],
  [
    "a reference from a table on every server to one that is spread",
    `alter table users add column merchant_id text, add column link_id text,
       add constraint to_link foreign key (merchant_id, link_id) references payment_links (merchant_id, id)`,
    /cannot create foreign key constraint: "users" refers to "payment_links"/,
  ],
])("%s is refused", async (_, change, message) => {
  await onACluster(async (query) => {
    await query.unsafe(change);
    await expect(distribute(query)).rejects.toThrow(message);
  });
});

test("triggers are refused unless the script says that they are safe, and a function without its merchant is refused", async () => {
  const unsafe = SCRIPT.replace("set local citus.enable_unsafe_triggers to on;", "");
  await onACluster((query) => expect(distribute(query, unsafe)).rejects.toThrow(/because it has triggers/));
  const nameless = SCRIPT.replace(
    "'ledger_post(text, ledger_request[])', 'p_merchant'",
    "'ledger_post(text, ledger_request[])', 'p_batch'",
  );
  await onACluster((query) => expect(distribute(query, nameless)).rejects.toThrow(/the distribution argument is not valid/));
});
