import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { aLink, hear, noticeOf } from "./checkout.fixture.ts";
import { findLinks } from "./find-links.ts";
import { listPaymentLinks } from "./index.ts";
import type { PaymentLink } from "./payment-link.ts";
import { getLinkByReference } from "./read-links.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });
withApp();

const MANY = 5_000;

let shop: TestMerchant;
let link: PaymentLink;
let transferId: string;

const READS: Readonly<Record<string, () => Promise<unknown>>> = {
  "the status of a link": () => getLinkByReference(shop.ctx, link.reference),
  "a search for a link by its transfer": () => findLinks(shop.ctx, { transferId }, 5),
  "a search for a link by the bank's name of its transfer": () => findLinks(shop.ctx, { sessionIds: ["S-4000"] }, 5),
  "a list of links": () => listPaymentLinks(shop.ctx, { limit: 20 }),
};

beforeAll(async () => {
  await sql()`alter table bank_transfers set (autovacuum_enabled = false)`;
  shop = await aMerchant();
  link = await aLink(shop);
  await hear(noticeOf(link, { sessionId: "S-4000" }));
  const [transfer] = await sql()<{ id: string }[]>`select id from bank_transfers`;
  transferId = transfer?.id ?? "";
  // After five calls, PostgreSQL keeps the plans that it made on almost empty tables.
  for (let n = 0; n < 10; n++) for (const read of Object.values(READS)) await read();
  await sql()`
    insert into bank_transfers (merchant_id, id, link_id, provider, session_id, account_number, amount, currency, classification, disposition, received_at)
    select ${shop.merchant.id}, 'btr_' || n, 'pl_' || n, 'sandbox', 's' || n, '1', 100, 'NGN', 'exact', 'accepted', now() from generate_series(1, ${MANY}) n`;
});

test.each(Object.keys(READS))("%s reads a few bank transfers, by a plan that was made while there was one", async (name) => {
  const rows = await rowsRead("bank_transfers", async () => READS[name]?.());
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(50);
});
