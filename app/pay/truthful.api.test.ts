import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { aLink, aLiveReference, copyTransfersToLive, hear, makeOverdue, noticeOf } from "#services/checkout/checkout.fixture.ts";
import { suspendMerchant } from "#services/merchants/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
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

describe("the page", () => {
  const isShown = (html: string, id: string) => new RegExp(`id="${id}"(?![^>]* hidden="")`).test(html);
  const pageOf = async ({ reference }: { reference: string }) => (await get(reference)).text();
  const saySent = (reference: string, seen: number) => post(`${reference}/activity`, { kind: "sent", seen: String(seen) });
  const wrong = { amount: naira(4_000) };

  test("tells a payer who says 'sent' either to wait or to pay, never both, also after a wrong amount arrived", async () => {
    const link = await aLink(shop);
    await hear(noticeOf(link, wrong));
    await saySent(link.reference, 0);
    const html = await pageOf(link);
    expect(html).toContain("Do not send only the difference: send ₦5,000.00 once");
    expect(isShown(html, "sent")).toBe(false);
    await saySent(link.reference, 1);
    expect(isShown(html, "exactly")).toBe(true);
    const checking = await pageOf(link);
    expect([isShown(checking, "sent"), isShown(checking, "exactly")]).toEqual([true, false]);
    // The count of an older tab changes nothing, and neither does a count above the number of transfers.
    await saySent(link.reference, 0);
    expect(isShown(await pageOf(link), "sent")).toBe(true);
    await saySent(link.reference, 99);
    await hear(noticeOf(link, wrong));
    expect(isShown(await pageOf(link), "sent")).toBe(false);
  });

  test("of an expired link asks for no new payment while money that the payer sent may still arrive", async () => {
    const link = await aLink(shop);
    await saySent(link.reference, 0);
    await makeOverdue(link);
    const html = await pageOf(link);
    expect(html).toContain("This payment has expired");
    expect(isShown(html, "sent")).toBe(true);
    expect(html).toContain("If you have not sent the money, ask ");
    expect(html).toContain('http-equiv="refresh" content="30"');
    const other = await aLink(shop);
    await makeOverdue(other);
    expect(isShown(await pageOf(other), "sent")).toBe(false);
  });

  test("says that money is back only after the bank has sent it back", async () => {
    const link = await aLink(shop);
    await hear(noticeOf(link, wrong));
    const [owed] = await sql()`select return_state from bank_transfers where link_id = ${link.id}`;
    expect(owed).toEqual({ return_state: "owed" });
    expect(await pageOf(link)).toContain("The bank has been told to send your money back");
    await sql()`update bank_transfers set return_state = 'done', next_return_at = null where link_id = ${link.id}`;
    expect(await pageOf(link)).toContain("The bank has sent your money back");
  });

  test("of a suspended merchant reports money that arrived, and does not show the account number", async () => {
    const suspended = await aMerchant();
    const link = await aLink(suspended);
    await hear(noticeOf(link, wrong));
    await sql()`update merchants set status = 'suspended' where id = ${suspended.merchant.id}`;
    const html = await pageOf(link);
    expect(html).toContain("This payment cannot be taken now");
    expect(html).toContain("₦4,000.00 came, which is less than ₦5,000.00.");
    expect(html).toContain("If you have sent it already, this page will say what became of it.");
    expect(html).not.toContain(link.accountNumber);
  });

  test("the simulate buttons take no payment for a suspended merchant", async () => {
    const suspended = await aMerchant();
    const link = await aLink(suspended);
    await suspendMerchant(anOperator, suspended.merchant.id, "The bank asked for it.");
    const headers = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", Origin: app.url };
    const pressed = await fetch(`${app.url}/pay/${link.reference}/simulate`, {
      method: "POST",
      headers,
      body: "what=exact",
      redirect: "manual",
    });
    expect(pressed.status).toBeLessThan(400);
    expect(await sql()`select 1 from bank_transfers where link_id = ${link.id}`).toEqual([]);
  });

  test("returns to the shop by itself in live mode alone, and not after a second payment or if the payer chose to stay", async () => {
    const link = await aLink(shop, { callback_url: "https://shop.example/thanks" });
    await hear(noticeOf(link));
    const refresh = 'http-equiv="refresh" content="20;url=https://shop.example/thanks';
    expect(await pageOf(link)).not.toContain("refresh");
    const live = { reference: await aLiveReference(shop, link) };
    expect(await pageOf(live)).toContain(refresh);
    expect(await (await get(`${live.reference}?stay=1`)).text()).not.toContain("refresh");
    await hear(noticeOf(link));
    await copyTransfersToLive(shop, link);
    const twice = await pageOf(live);
    expect(twice).toContain("₦5,000.00 came a second time.");
    expect(twice).not.toContain("refresh");
    expect(twice).toContain('data-automatic="no"');
  });

  test("the preview of a paid link names merchant and amount, without a request to pay", async () => {
    const link = await aLink(shop);
    await hear(noticeOf(link));
    expect(await pageOf(link)).toContain('<meta property="og:title" content="₦5,000.00 · Ada&#x27;s Shop (test)"/>');
  });
});
