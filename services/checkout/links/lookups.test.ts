import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { systemContext } from "../../context.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { aLink, anExpiredLink } from "../checkout.fixture.ts";
import { findPayerView, getLinkByReference, recordActivity } from "../index.ts";

// One connection, which has prepared every statement of the lookups.
withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });
withApp();

test("on a table without statistics, a link is found through the index of references, also by the plan that PostgreSQL keeps", async () => {
  const shop = await aMerchant();
  const { link: old } = await anExpiredLink(shop);
  const { reference } = await aLink(shop, { replaces: old.reference });
  await getLinkByReference(shop.ctx, reference);
  await findPayerView(systemContext("test"), old.reference);
  await recordActivity(systemContext("test"), reference, "opened");
  await recordActivity(systemContext("test"), reference, "sent");
  const prepared = await sql()<{ statement: string }[]>`
    select statement from pg_prepared_statements where statement like '%order by reference limit 1%' and statement not like '%pg_prepared%'`;
  expect(prepared).toHaveLength(4);
  for (const { statement } of prepared) {
    const plan = (await sql().unsafe(`explain (generic_plan) ${statement}`)).map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).toMatch(/payment_links_reference on payment_links/);
    // The first link of a chain is found by its key.
    expect(plan.replaceAll("payment_links_pkey on payment_links f", "")).not.toMatch(
      /(payment_links_(?!reference)\w+|Seq Scan) on payment_links\b/,
    );
  }
});
