import { getTableName, sql as sqlText } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { cardholders, cardOperations, cards } from "#db/schema/cards.ts";
import { bankTransfers, paymentLinks } from "#db/schema/checkout.ts";
import { products, purchases } from "#db/schema/vtu.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { aCard, aCardMerchant } from "../services/cards/cards.fixture.ts";
import { aLink, hear, noticeOf } from "../services/checkout/checkout.fixture.ts";
import { buyProduct } from "../services/vtu/index.ts";
import { airtime, aVtuMerchant } from "../services/vtu/vtu.fixture.ts";

withDatabase();
withApp();
withCardSweeps();

test("a row from plain SQL or from PostgreSQL's to_jsonb equals the row that Drizzle reads", async () => {
  const shop = await aVtuMerchant();
  await buyProduct(shop.ctx, airtime());
  await hear(noticeOf(await aLink(shop, { metadata: { table: "7", note: "ọjà" } })));
  await aCard(await aCardMerchant(), { balance: 5 });
  for (const table of [products, purchases, paymentLinks, bankTransfers, cards, cardholders, cardOperations]) {
    const [expected] = await db().select().from(table).orderBy(sqlText`ctid`).limit(1);
    const name = sql()(getTableName(table));
    const [raw] = await sql()`select t.*, 'more' as other, to_jsonb(t) as json from ${name} t order by ctid limit 1`;
    expect(expected, getTableName(table)).toBeDefined();
    expect(fromRow(table, raw ?? {})).toEqual(expected);
    expect(fromRow(table, raw?.json)).toEqual(expected);
  }
});

test("a row that lacks a column of its table is refused", () => {
  expect(() => fromRow(products, { id: 1 })).toThrow("did not read the column provider");
});
