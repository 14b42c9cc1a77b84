import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newLinkReference, newPurchaseId } from "#lib/references.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { aLink } from "./checkout/checkout.fixture.ts";
import { findPayerView, getLinkByReference, recordActivity } from "./checkout/index.ts";
import { systemContext } from "./context.ts";
import { findMerchantOf } from "./find-merchant-of.ts";
import { aMerchant } from "./merchants/merchant.fixture.ts";

withDatabase();
withApp();

const MORE_THAN_ANY = 2 ** 40 - 1;

test("a reference leads to its merchant, and one of a merchant that does not exist to none", async () => {
  const [one, other] = [await aMerchant(), await aMerchant()];
  for (const { merchant } of [one, other, one]) {
    expect(await findMerchantOf(newLinkReference(merchant.number))).toBe(merchant.id);
    expect(await findMerchantOf(newPurchaseId(merchant.number))).toBe(merchant.id);
  }
  expect(await findMerchantOf(newLinkReference(MORE_THAN_ANY))).toBeUndefined();
});

test("a payer's page needs the whole reference: another number of the merchant, or a changed end, is unknown", async () => {
  const shop = await aMerchant();
  const { reference } = await aLink(shop);
  const changed = (end: string) => `${reference.slice(0, -1)}${end}`;
  const strangers = [newLinkReference(shop.merchant.number), ...["0", "1"].map(changed).filter((each) => each !== reference)];
  for (const stranger of [...strangers, newPurchaseId(shop.merchant.number)]) {
    expect(await findPayerView(systemContext("test"), stranger)).toBeUndefined();
    expect(await recordActivity(systemContext("test"), stranger, "opened")).toBeUndefined();
    expect(await recordActivity(systemContext("test"), stranger, "sent")).toBeUndefined();
  }
  expect((await findPayerView(systemContext("test"), reference))?.link.reference).toBe(reference);
});

test("a reference never leads a payer to another merchant's link, even if that merchant has a link with the same reference", async () => {
  const [one, other] = [await aMerchant(), await aMerchant()];
  const link = await aLink(one);
  await expect(getLinkByReference(other.ctx, link.reference)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  await sql()`insert into payment_links select * from jsonb_populate_record(null::payment_links, (
    select to_jsonb(l) || jsonb_build_object('merchant_id', ${other.merchant.id}::text) from payment_links l where id = ${link.id}))`;
  expect((await getLinkByReference(other.ctx, link.reference)).merchantId).toBe(other.merchant.id);
  expect((await findPayerView(systemContext("test"), link.reference))?.link.merchantId).toBe(one.merchant.id);
});

test("merchants' numbers are unique, and the database gives them", async () => {
  const { merchant } = await aMerchant();
  const again = sql()`
    insert into merchants (id, business_id, mode, number) overriding system value values ('mer_again', ${merchant.businessId}, 'live', ${merchant.number})`;
  await expect(again).rejects.toMatchObject({ code: "23505" });
  await expect(sql()`update merchants set number = 5 where id = ${merchant.id}`).rejects.toMatchObject({ code: "428C9" });
});
