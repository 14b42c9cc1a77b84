import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { aLink, anExpiredLink, hear, makeOverdue } from "#services/checkout/checkout.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { payerClient } from "./pay.fixture.ts";

withDatabase();
const app = withApp();
const { get, post } = payerClient(app);

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant({ name: "Ada's Shop" });
});

const WAIT = "Wait for the bank first: do not send it again.";
const buttonTo = (reference: string) => new RegExp(`<a href="/pay/${reference}"[^>]*>Open the new link</a>`);
const pageOf = async (path: string) => {
  const response = await get(path);
  expect(response.status).toBe(200);
  return response.text();
};
const versionOf = async (reference: string) => (await (await get(`${reference}/status`)).json()).version;

test("the page of a replaced link has a button to the new one, and redirects nobody", async () => {
  const { link: old } = await anExpiredLink(shop);
  expect(await pageOf(old.reference)).toContain("ask <bdi>Ada&#x27;s Shop</bdi> for a new link");
  const before = await versionOf(old.reference);
  const link = await aLink(shop, { replaces: old.reference });
  const html = await pageOf(old.reference);
  expect(html).toContain("This payment has expired");
  expect(html).toContain("has made a new link for this payment");
  expect(html).toMatch(buttonTo(link.reference));
  expect(html).not.toContain("for a new link");
  expect(html).not.toContain(WAIT);
  expect(html).toContain('http-equiv="refresh" content="30"/>');
  // The script of a page that is open loads the page when its version changes.
  expect(await versionOf(old.reference)).not.toBe(before);
  const status = await (await get(`${old.reference}/status`)).text();
  expect(status.length).toBeLessThan(300);
});

test("the page tells a payer who said 'sent' to check and wait first, and then shows the button", async () => {
  const old = await aLink(shop);
  await post(`${old.reference}/activity`, { kind: "sent", seen: "0" });
  await makeOverdue(old);
  const link = await aLink(shop, { replaces: old.reference });
  const html = await pageOf(old.reference);
  const places = ["Check status", WAIT, "Open the new link"].map((text) => html.indexOf(text, html.indexOf('id="state"')));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(html).toMatch(buttonTo(link.reference));
});

test("the button keeps a language that the payer chose, and the script's news says that there is a new link", async () => {
  const { link: old } = await anExpiredLink(shop);
  const link = await aLink(shop, { replaces: old.reference });
  const html = await pageOf(`${old.reference}?lang=ig`);
  expect(html).toContain(`<a href="/pay/${link.reference}?lang=ig"`);
  expect(html).toContain("Mepee njikọ ọhụrụ");
  expect(html).toMatch(/data-news="[^"]*emeela njikọ ọhụrụ/);
});

test("the page has no button once the link is paid late, and neither has the page of a suspended merchant or of the new link", async () => {
  const own = await aMerchant();
  const { link: old, late } = await anExpiredLink(own);
  const link = await aLink(own, { replaces: old.reference });
  await sql()`update merchants set status = 'suspended' where id = ${own.merchant.id}`;
  expect(await pageOf(old.reference)).not.toMatch(/Open the new link|has made a new link/);
  await sql()`update merchants set status = 'active' where id = ${own.merchant.id}`;
  expect(await pageOf(old.reference)).toContain("Open the new link");
  await hear(late);
  for (const { reference } of [old, link]) expect(await pageOf(reference)).not.toContain("Open the new link");
  expect(await pageOf(old.reference)).toContain("has received your ₦5,000.00");
  expect(await pageOf(link.reference)).toContain("This payment has expired");
});
