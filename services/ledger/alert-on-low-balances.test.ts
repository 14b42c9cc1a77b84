import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { systemContext } from "../context.ts";
import { aMerchantWithAllRights as aMerchant } from "../merchants/merchant.fixture.ts";
import { alertOnLowBalances, setBalanceLimit } from "./index.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const OTHERS = 5_000;

test("the sweep for low balances reads only wallets with a limit, also by the plan that PostgreSQL keeps after five calls", async () => {
  const shop = await aMerchant();
  await setBalanceLimit(shop.ctx, naira(600), null);
  // Cards make the name of an account look almost unique.
  await sql()`
    insert into ledger_accounts (merchant_id, account, currency, normal_side, floored)
    select 'mer_' || n, account, 'NGN', 'credit', true from generate_series(1, ${OTHERS}) n
    cross join lateral (values ('wallet'), ('card:' || n), ('card:b' || n), ('card:c' || n)) of_merchant(account)`;
  await sql()`analyze`;
  const sweep = () => alertOnLowBalances(systemContext("worker"));
  for (let calls = 0; calls < 6; calls++) await sweep();
  expect(await rowsRead("ledger_accounts", sweep)).toBe(1);
});
