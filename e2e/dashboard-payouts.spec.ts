import { expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { until } from "#testing/until.ts";
import { addAccount, aPayer, openWallet, payoutsOf } from "./payouts.ts";
import { aMember, callAs, dashboard, ownIdsOf, untilAlive } from "./people.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const sheet = (page: Page) => page.getByRole("dialog");

async function fillSheet(page: Page, amount: string): Promise<void> {
  await button(page, "Send to bank").click();
  await sheet(page).getByLabel("Amount", { exact: true }).fill(amount);
}

/** Lets requests of a path reach the server, and loses their answers. */
const loseAnswersOf = (page: Page, path: string) =>
  page.route(
    (url) => url.pathname === path,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

test("a bank account is added with the name that its bank has, and money goes to it", async ({ page }) => {
  const merchantId = await aPayer(page);
  await openWallet(page);
  await button(page, "Send to bank").click();
  await sheet(page).getByRole("link", { name: "Add a bank account" }).click();
  await page.waitForURL(/\/wallet\/accounts$/);
  await untilAlive(page);
  await button(page, "Add bank account").click();
  await sheet(page).getByLabel("Bank", { exact: true }).selectOption({ label: "Harbour Bank (test)" });
  await sheet(page).getByLabel("Account number").fill("12345");
  await sheet(page).getByRole("button", { name: "Check account" }).click();
  await expect(sheet(page).getByLabel("Account number")).toHaveAccessibleDescription(/Type the ten digits/);
  await sheet(page).getByLabel("Account number").fill("0123454040");
  await expect(sheet(page).getByLabel("Account number")).toHaveAccessibleDescription(/has no account with this number/);
  await sheet(page).getByLabel("Account number").fill("012 345 4417");
  await expect(sheet(page).getByText("TEST ACCOUNT 4417")).toBeVisible();
  await sheet(page).getByRole("button", { name: "Add bank account" }).click();
  await expect(page.getByText("Harbour Bank (test) ••4417")).toBeVisible();
  await openWallet(page);
  await fillSheet(page, "250000");
  await expect(sheet(page).getByText("Stays in your wallet")).toBeVisible();
  await button(page, "Send ₦250,000.00").dblclick();
  await expect(sheet(page).getByText("₦250,000.00 is sent to Harbour Bank (test) ••4417")).toBeVisible();
  await sheet(page).getByRole("link", { name: "View payout" }).click();
  await page.waitForURL(/\/wallet\/payouts\/po_/);
  await expect(page.getByRole("list", { name: "What happened" }).getByText("The bank paid it")).toBeVisible();
  expect((await payoutsOf(merchantId)).map(({ status, amount }) => [status, amount])).toEqual([["paid", 25_000_000n]]);
  await openWallet(page);
  await expect(page.getByRole("table", { name: "Wallet history" }).getByText("Sent to your bank")).toBeVisible();
});

test("a payout that the bank refuses says so, and its money is back", async ({ page }) => {
  await aPayer(page, { wallet: 30_000 });
  await addAccount(page, "0123450000");
  await openWallet(page, "/payouts");
  await fillSheet(page, "30000");
  await button(page, "Send ₦30,000.00").click();
  await expect(sheet(page).getByText("did not reach Harbour Bank (test) ••0000")).toBeVisible();
  await expect(sheet(page).getByText("₦30,000.00 is back in your wallet")).toBeVisible();
  await sheet(page).getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("table", { name: "Payouts" }).getByText("Failed")).toBeVisible();
});

test("a payout that is processing tells of its end without a reload", async ({ page }) => {
  await aPayer(page);
  await addAccount(page, "0123451111");
  await openWallet(page);
  await fillSheet(page, "5000");
  await button(page, "Send ₦5,000.00").click();
  await expect(sheet(page).getByText("Do not send it again")).toBeVisible();
  await expect(sheet(page).getByText("₦5,000.00 is sent to")).toBeVisible({ timeout: 30_000 });
});

test("a payout whose answer was lost is found again after a reload, and is paid once", async ({ page }) => {
  const merchantId = await aPayer(page);
  await addAccount(page, "0123454417");
  await openWallet(page);
  await loseAnswersOf(page, "/api/dashboard/payouts");
  await fillSheet(page, "5000");
  await button(page, "Send ₦5,000.00").click();
  await expect(sheet(page).getByText("the answer was lost")).toBeVisible();
  await page.reload();
  await untilAlive(page);
  await button(page, "Send to bank").click();
  await expect(sheet(page).getByText("You sent ₦5,000.00 to Harbour Bank (test) ••4417 before")).toBeVisible();
  await button(page, "Find out").click();
  await expect(sheet(page).getByText("₦5,000.00 is sent to")).toBeVisible();
  expect(await payoutsOf(merchantId)).toHaveLength(1);
});

test("more than can be sent is refused before anything is sent", async ({ page }) => {
  const merchantId = await aPayer(page, { wallet: 1_000 });
  await addAccount(page, "0123454417");
  await openWallet(page);
  await fillSheet(page, "50");
  await expect(sheet(page).getByText("From ₦100.00 to")).toBeVisible();
  await sheet(page).getByLabel("Amount", { exact: true }).fill("1000.01");
  await expect(sheet(page).getByText("That is more than can be sent now.")).toBeVisible();
  await expect(button(page, "Send ₦1,000.01")).toBeDisabled();
  expect(await payoutsOf(merchantId)).toHaveLength(0);
});

test("above the sum for two people the second of them decides, and the first can only withdraw", async ({ page, browser }) => {
  const merchantId = await aPayer(page);
  await addAccount(page, "0123454417");
  const view = await (await browser.newContext()).newPage();
  await aMember(view);
  const second = await ownIdsOf(view);
  await sql()`
    update members set business_id = (select business_id from merchants where id = ${merchantId}), role = 'admin' where user_id = ${second.userId}`;
  await callAs(page, "POST", "/api/dashboard/payout-rules", {
    ...{ max_amount: null, max_a_day: null, two_people_above: 10_000 },
    ...{ automatic: null, automatic_account_id: null, automatic_reserve: 0 },
  });
  await openWallet(page);
  await fillSheet(page, "10000.01");
  await button(page, "Ask for ₦10,000.01").click();
  await expect(sheet(page).getByText("A second person decides now")).toBeVisible();
  await sheet(page).getByRole("link", { name: "View payouts" }).click();
  await expect(button(page, "Withdraw")).toBeVisible();
  await expect(button(page, "Agree")).toHaveCount(0);
  // The colleague is in the business since a moment, and every process knows it within a second.
  await until(async () => {
    await view.goto(dashboard("/test/wallet/payouts"));
    return (await button(view, "Agree").count()) === 1;
  });
  await untilAlive(view);
  await button(view, "Agree").click();
  await sheet(view).getByRole("button", { name: "Send ₦10,000.01" }).click();
  await view.waitForURL(/\/wallet\/payouts\/po_/);
  await expect(view.getByText("You agreed to it.")).toBeVisible();
  expect((await payoutsOf(merchantId)).map(({ amount }) => amount)).toEqual([1_000_001n]);
});

test("a removed account takes no money, and rules are kept", async ({ page }) => {
  await aPayer(page);
  await addAccount(page, "0123454417");
  await openWallet(page, "/rules");
  await button(page, "Change rules").click();
  await sheet(page).getByLabel("One payout, at most (optional)").fill("2,000");
  await sheet(page).getByLabel("Automatic payout").selectOption("day");
  await sheet(page).getByLabel("Stays in the wallet (optional)").fill("50000");
  await button(page, "Save rules").click();
  await expect(page.getByText("Every day, to Harbour Bank (test) ••4417")).toBeVisible();
  await button(page, "Change rules").click();
  await sheet(page).getByLabel("Automatic payout").selectOption({ label: "Off" });
  await button(page, "Save rules").click();
  await expect(page.getByText("Money stays in the wallet until somebody sends it.")).toBeVisible();
  await openWallet(page);
  await fillSheet(page, "2001");
  await button(page, "Send ₦2,001.00").click();
  await expect(sheet(page).getByText("Your business allows at most ₦2,000.00 for one payout.")).toBeVisible();
  await openWallet(page, "/accounts");
  await button(page, "Remove").click();
  await button(page, "Remove bank account").click();
  await expect(page.getByText("There is no bank account yet")).toBeVisible();
});
