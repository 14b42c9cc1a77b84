import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newLinkReference } from "#lib/references.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { aLink } from "../checkout.fixture.ts";

withDatabase();
withApp();

test("five tries of one request at once, and a later one, make one link", async () => {
  const shop = await aMerchant();
  const resourceId = newLinkReference(shop.merchant.number);
  const tried = { ...shop, ctx: { ...shop.ctx, resourceId } };
  const links = [...(await Promise.all(times(5, () => aLink(tried)))), await aLink(tried)];
  expect(new Set(links.map(({ id, reference, accountNumber }) => `${id} ${reference} ${accountNumber}`)).size).toBe(1);
  expect(links[0]?.reference).toBe(resourceId);
  const [rows] = await sql()`select (select count(*) from payment_links where merchant_id = ${shop.merchant.id}) as links,
    (select count(*) from one_time_accounts where merchant_id = ${shop.merchant.id}) as accounts`;
  expect(rows).toEqual({ links: 1n, accounts: 1n });
});

test("a conflict of anything but the reference is an error, not an earlier try", async () => {
  const shop = await aMerchant();
  await sql()`create unique index one_description on payment_links (description)`;
  try {
    await aLink(shop, { description: "once" });
    await expect(aLink(shop, { description: "once" })).rejects.toMatchObject({ constraint_name: "one_description" });
  } finally {
    await sql()`drop index one_description`;
  }
});
