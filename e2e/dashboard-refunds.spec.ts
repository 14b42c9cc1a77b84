import { expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { accountToken } from "#services/checkout/refunds/account-link.ts";
import { until } from "#testing/until.ts";
import { dashboard, untilAlive } from "./people.ts";
import { aPaidLink, aRefunder, moveToPlainBank, openLink, refundsOf } from "./refunds.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const sheet = (page: Page) => page.getByRole("dialog");
const refunds = (page: Page) => page.getByRole("region", { name: "Refunds" });

test("a part of a payment is refunded once by a double click, and the link, the payer's page and the wallet say so", async ({ page }) => {
  const merchantId = await aRefunder(page);
  const reference = await aPaidLink(page);
  await openLink(page, reference);
  await button(page, "Refund").click();
  await expect(
    sheet(page).getByText(/goes? ?back|sends it back to the account that it came from: Other Bank \(test\) ••\d{4} of NGOZI EZE/),
  ).toBeVisible();
  await sheet(page).getByLabel("Amount", { exact: true }).fill("5,000.01");
  await expect(button(page, "Refund").last()).toBeDisabled();
  await sheet(page).getByLabel("Amount", { exact: true }).fill("1,500");
  await sheet(page).getByLabel("Reason (optional)").fill("One bag is torn");
  await button(page, "Refund ₦1,500.00").dblclick();
  await expect(sheet(page).getByText("₦1,500.00 is refunded")).toBeVisible();
  await button(page, "Done").click();
  await expect(refunds(page).getByText("Refunded", { exact: true })).toBeVisible();
  await expect(refunds(page).getByText(/Reason: One bag is torn/)).toBeVisible();
  await expect(page.getByText("₦1,500.00 of it is refunded")).toBeVisible();
  expect((await refundsOf(merchantId)).map(({ status, amount }) => [status, amount])).toEqual([["paid", 150_000n]]);
  await page.goto(`${process.env.BASE_URL}/pay/${reference}`);
  await expect(page.getByText("₦1,500.00 of this payment has been sent back.")).toBeVisible();
  await page.goto(dashboard("/test/wallet"));
  await expect(page.getByRole("table", { name: "Wallet history" }).getByText("Refunded to a customer")).toBeVisible();
});

test("a refund that the bank refuses says so, its money is back, and one that is processing tells of its end without a reload", async ({
  page,
}) => {
  await aRefunder(page);
  await openLink(page, await aPaidLink(page, { senderAccount: "0123450000" }));
  await button(page, "Refund").click();
  await button(page, "Refund ₦5,000.00").click();
  await expect(sheet(page).getByText("₦5,000.00 was not refunded")).toBeVisible();
  await expect(sheet(page).getByText("It is back in your wallet")).toBeVisible();
  await openLink(page, await aPaidLink(page, { senderAccount: "0123451111" }));
  await button(page, "Refund").click();
  await button(page, "Refund ₦5,000.00").click();
  await expect(sheet(page).getByText("Do not refund it again")).toBeVisible();
  await expect(sheet(page).getByText("₦5,000.00 is refunded")).toBeVisible({ timeout: 30_000 });
});

test("a refund whose answer was lost is found again after a reload, and is made once", async ({ page }) => {
  const merchantId = await aRefunder(page);
  const reference = await aPaidLink(page);
  await openLink(page, reference);
  await page.route(
    (url) => url.pathname === "/api/dashboard/refunds",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await button(page, "Refund").click();
  await button(page, "Refund ₦5,000.00").click();
  await expect(sheet(page).getByText("the answer was lost")).toBeVisible();
  await page.reload();
  await untilAlive(page);
  await button(page, "Refund").click();
  await button(page, "Find out").click();
  await expect(sheet(page).getByText("₦5,000.00 is refunded")).toBeVisible();
  expect(await refundsOf(merchantId)).toHaveLength(1);
});

test("a customer whose bank tells no account names one by the mailed link, without script, and an owner agrees to another name", async ({
  page,
  browser,
}) => {
  const merchantId = await aRefunder(page);
  await moveToPlainBank(merchantId);
  // Every process knows the merchant's bank within a second.
  const reference = await until(async () => {
    const made = await aPaidLink(page);
    const [link] = await sql()`select provider from payment_links where merchant_id = ${merchantId} and reference = ${made}`;
    return link?.provider === "sandbox-plain" && made;
  });
  await until(async () => (await sql()`select 1 from payment_links where reference = ${reference} and status = 'success'`).length === 1);
  await openLink(page, reference);
  await button(page, "Refund").click();
  await expect(sheet(page).getByText("we ask ngozi@example.com for it by mail")).toBeVisible();
  await button(page, "Refund ₦5,000.00").click();
  await expect(sheet(page).getByText("We asked the customer for an account")).toBeVisible();
  await button(page, "Done").click();
  await expect(refunds(page).getByText("We asked ngozi@example.com for an account by mail.")).toBeVisible();
  await expect(button(page, "Agree")).toHaveCount(0);

  const [refund] = await refundsOf(merchantId);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const customer = await context.newPage();
  await customer.goto(dashboard(`/refund-account?token=${accountToken({ merchantId, id: refund?.id ?? "" })}`));
  await expect(customer.getByRole("heading", { name: "Where shall your ₦5,000.00 go?" })).toBeVisible();
  await customer.getByLabel("Bank").selectOption({ label: "Harbour Bank (test)" });
  await customer.getByLabel("Account number").fill("0123454040");
  await customer.getByRole("button", { name: "Check the account" }).click();
  await expect(customer.getByLabel("Account number")).toHaveAccessibleDescription(/has no account with this number/);
  await customer.getByLabel("Account number").fill("012 345 4417");
  await customer.getByRole("button", { name: "Check the account" }).click();
  await expect(customer.getByText("TEST ACCOUNT 4417")).toBeVisible();
  await customer.getByRole("button", { name: "Send ₦5,000.00 there" }).click();
  await expect(customer.getByRole("heading", { name: "Ada's Kitchen decides now" })).toBeVisible();

  await openLink(page, reference);
  await expect(refunds(page).getByText("The bank did not tell who paid")).toBeVisible();
  await button(page, "Agree").click();
  await sheet(page).getByRole("button", { name: "Send ₦5,000.00" }).click();
  await expect(refunds(page).getByText("Refunded", { exact: true })).toBeVisible({ timeout: 45_000 });
  await customer.reload();
  await expect(customer.getByRole("heading", { name: "₦5,000.00 is sent" })).toBeVisible();
  await context.close();
});
