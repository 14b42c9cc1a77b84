import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { addAccount, aPayer, payoutsOf, sendMoney } from "./payouts.ts";
import { callAs, dashboard, untilAlive } from "./people.ts";

/** Opens pages in every look as the person who is signed in in `page`. `act` opens something on the page first. */
async function expectToFit(
  browser: Browser,
  page: Page,
  paths: Readonly<Record<string, [path: string, act?: (view: Page) => Promise<void>]>>,
) {
  const { cookies } = await page.context().storageState();
  await inEveryWidth(browser, async (view, width) => {
    await view.context().addCookies(cookies);
    for (const [name, [path, act]] of Object.entries(paths)) {
      await view.goto(dashboard(path), { waitUntil: "networkidle" });
      await untilAlive(view);
      await act?.(view);
      await expectGoodLook(view, `payouts ${name} ${width}`);
    }
  });
}

const press = (name: string) => async (view: Page) => {
  await view.getByRole("button", { name, exact: true }).first().click();
  await expect(view.getByRole("dialog")).toBeVisible();
};

test("the pages of payouts without any fit every screen, and axe finds nothing", async ({ browser, page }) => {
  await aPayer(page, { wallet: 1 });
  await expectToFit(browser, page, {
    "wallet empty": ["/test/wallet"],
    "list empty": ["/test/wallet/payouts"],
    "accounts empty": ["/test/wallet/accounts"],
    "rules empty": ["/test/wallet/rules"],
    "sheet without account": ["/test/wallet", press("Send to bank")],
    "live wallet": ["/live/wallet"],
    "live accounts": ["/live/wallet/accounts"],
    "live rules": ["/live/wallet/rules"],
    "live without second step": ["/live/wallet/accounts", press("Add bank account")],
  });
});

test("the pages of payouts with long names and large amounts fit every screen, and axe finds nothing", async ({ browser, page }) => {
  const merchantId = await aPayer(page, { wallet: 9_999_999.99, business: "Ngozi's very long and winding name of a business in Onitsha" });
  const accounts = await Promise.all([
    addAccount(page, "0123454417"),
    addAccount(page, "0123450000", "00B"),
    addAccount(page, "0123451111"),
  ]);
  await callAs(page, "POST", "/api/dashboard/payout-rules", {
    ...{ max_amount: 9_000_000, max_a_day: null, two_people_above: null, automatic: "week" },
    ...{ automatic_account_id: accounts[0], automatic_reserve: 100_000 },
  });
  await sendMoney(page, accounts[0] ?? "", 4_999_999.99);
  await sendMoney(page, accounts[1] ?? "", 1_234.5);
  await sendMoney(page, accounts[2] ?? "", 250_000);
  const [paid, failed] = await payoutsOf(merchantId);
  const fill = async (view: Page) => {
    await press("Send to bank")(view);
    await view.getByLabel("Amount", { exact: true }).fill("250000");
    await expect(view.getByText("Stays in your wallet")).toBeVisible();
  };
  const name = async (view: Page) => {
    await press("Add bank account")(view);
    await view.getByLabel("Bank", { exact: true }).selectOption("00B");
    await view.getByLabel("Account number").fill("0123459999");
    await expect(view.getByText("TEST ACCOUNT 9999")).toBeVisible();
  };
  await expectToFit(browser, page, {
    wallet: ["/test/wallet"],
    list: ["/test/wallet/payouts"],
    "nothing found": ["/test/wallet/payouts?status=reversed"],
    paid: [`/test/wallet/payouts/${paid?.id}`],
    failed: [`/test/wallet/payouts/${failed?.id}`],
    accounts: ["/test/wallet/accounts"],
    rules: ["/test/wallet/rules"],
    "sheet to send": ["/test/wallet", fill],
    "sheet to add": ["/test/wallet/accounts", name],
    "sheet of rules": ["/test/wallet/rules", press("Change rules")],
  });
});
