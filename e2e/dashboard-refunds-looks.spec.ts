import { type Browser, expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { accountToken } from "#services/checkout/refunds/account-link.ts";
import { until } from "#testing/until.ts";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { dashboard, untilAlive } from "./people.ts";
import { aPaidLink, aRefunder, moveToPlainBank, refund, refundsOf } from "./refunds.ts";

type Act = (view: Page) => Promise<void>;

/** Opens pages in every look as the person who is signed in in `page`. `act` opens something on the page first. */
async function expectToFit(browser: Browser, page: Page, paths: Readonly<Record<string, [path: string, act?: Act]>>) {
  const { cookies } = await page.context().storageState();
  await inEveryWidth(browser, async (view, width) => {
    await view.context().addCookies(cookies);
    for (const [name, [path, act]] of Object.entries(paths)) {
      await view.goto(dashboard(path), { waitUntil: "networkidle" });
      await untilAlive(view);
      await act?.(view);
      await expectGoodLook(view, `refunds ${name} ${width}`);
    }
  });
}

const press =
  (name: string): Act =>
  async (view) => {
    await view.getByRole("button", { name, exact: true }).first().click();
    await expect(view.getByRole("dialog")).toBeVisible();
  };

test("a link with refunds, its sheet, and the customer's page fit every screen, and axe finds nothing", async ({ browser, page }) => {
  const merchantId = await aRefunder(page, "Ngozi's very long and winding name of a business in Onitsha");
  const reference = await aPaidLink(page, {
    amount: 1_000_000,
    description: "Forty bags of long-grained rice for the wedding of Amarachi",
  });
  await refund(page, reference, 250_000.5, "Ten of the bags were wet when they came, and the customer does not want others in their place");
  await refund(page, reference, 100_000);
  await moveToPlainBank(merchantId);
  const plain = await until(async () => {
    const made = await aPaidLink(page, { amount: 40_000 });
    const [link] = await sql()`select provider from payment_links where merchant_id = ${merchantId} and reference = ${made}`;
    return link?.provider === "sandbox-plain" && made;
  });
  await until(async () => (await sql()`select 1 from payment_links where reference = ${plain} and status = 'success'`).length === 1);
  await refund(page, plain, 15_000);
  await refund(page, plain, 20_000);
  const [open, deciding] = (await refundsOf(merchantId)).slice(-2).map(({ id }) => id);
  await sql()`
    update refunds set bank_code = '00A', bank_name = 'Savannah Microfinance (test)', account_number = '0123454417',
      account_name = 'CHUKWUEMEKA OLUWASEUN IBRAHIM-NWOSU', account_given_at = now(), awaits_owner = true
    where id = ${deciding ?? ""} and merchant_id = ${merchantId}`;
  const mailed = (id = "") => `/refund-account?token=${accountToken({ merchantId, id })}`;
  await expectToFit(browser, page, {
    link: [`/test/links/${reference}`],
    sheet: [`/test/links/${reference}`, press("Refund")],
    "link by mail": [`/test/links/${plain}`],
    agree: [`/test/links/${plain}`, press("Agree")],
    stop: [`/test/links/${plain}`, press("Stop refund")],
    transactions: ["/test/transactions"],
    "customer names": [mailed(open)],
    "customer waits": [mailed(deciding)],
    "customer without link": ["/refund-account?token=x"],
  });
});
