import { expect, type Page, test } from "@playwright/test";
import { naira } from "#lib/money.ts";
import { aCardPage, addToWallet, decideNow, merchantOf, setPrice, walletOf } from "./cards.ts";
import { aMember, callAs, dashboard, fillIn, PASSWORD, untilAlive } from "./people.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** A toast is a dialog too, which is not modal. */
const dialog = (page: Page) => page.locator("[role=dialog]:not([aria-modal=false])");
const inDialog = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true });
const summary = (page: Page, label: string) => dialog(page).locator("dl > div").filter({ hasText: label });

/** Opens the sheet, and types an amount. */
async function openFund(page: Page, amount: string): Promise<void> {
  await button(page, "Fund").click();
  await page.getByLabel("Amount in dollars").fill(amount);
}

async function reveal(page: Page): Promise<string> {
  await button(page, "Show number").click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await inDialog(page, "Show number").click();
  const number = dialog(page).locator("dd").first();
  await expect(number).toHaveText(/^(\d{4}){4}$/);
  return ((await number.textContent()) ?? "").replaceAll(/\D/g, "");
}

/** Fails if a card number is in the document, its address, its storages or its history. */
async function expectNowhere(page: Page, number: string): Promise<void> {
  const places = await page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      location.href,
      JSON.stringify({ ...sessionStorage, ...localStorage }),
      JSON.stringify(history.state),
    ].map((text) => text.replaceAll(/\D/g, "")),
  );
  for (const digits of places) expect(digits).not.toContain(number);
}

test("a person becomes a cardholder and gets a card, which is funded for the quoted price, shown, frozen and terminated", async ({
  page,
}) => {
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  const email = await aMember(page);
  const merchantId = await merchantOf(email);
  await addToWallet(merchantId, naira(500_000));
  await page.goto(dashboard("/test/cards"));
  await untilAlive(page);
  await button(page, "Create cardholder").click();
  await fillIn(page, { "First name": "Ngozi", "Last name": "Eze", Email: `n-${email}`, "Phone (optional)": "08031234567" });
  await inDialog(page, "Create cardholder").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ngozi Eze");
  await decideNow(`n-${email}`);
  await expect(button(page, "Issue card")).toBeVisible({ timeout: 30_000 });
  await button(page, "Issue card").click();
  await page.getByLabel("Nickname (optional)").fill("Ads");
  await expect(dialog(page)).toContainText("Issuing a card is free.");
  await inDialog(page, "Issue card").click();
  await page.waitForURL(/\/test\/cards\/card_/);
  await expect(button(page, "Fund")).toBeVisible({ timeout: 30_000 });

  const before = await walletOf(merchantId);
  await openFund(page, "50");
  await expect(summary(page, "You pay")).toContainText("₦81,600.00");
  await expect(summary(page, "Wallet after")).toContainText("₦418,400.00");
  await inDialog(page, "Fund card with $50.00").click();
  await expect(dialog(page)).toContainText("₦81,600.00 was charged, as shown.");
  expect(before - (await walletOf(merchantId))).toBe(8_160_000n);
  await inDialog(page, "Done").click();
  await expect(page.getByRole("listitem").filter({ hasText: "Funded from your wallet" })).toContainText("+$50.00");

  const number = await reveal(page);
  await inDialog(page, "Hide").click();
  await expect(dialog(page)).toHaveCount(0);
  await expectNowhere(page, number);

  await button(page, "Freeze").click();
  await expect(page.getByText("Frozen", { exact: true }).first()).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(button(page, "Freeze")).toBeVisible();

  await button(page, "More about this card").click();
  await page.getByRole("menuitem", { name: "Terminate" }).click();
  await expect(dialog(page)).toContainText("$50.00 returns to your wallet");
  await expect(dialog(page)).toContainText("₦75,000.00");
  const last4 = number.slice(-4);
  await dialog(page)
    .getByRole("textbox")
    .fill(last4 === "0000" ? "1111" : "0000");
  await inDialog(page, "Terminate card").click();
  await expect(dialog(page)).toContainText("These are not the last four digits");
  await dialog(page).getByRole("textbox").fill(last4);
  await inDialog(page, "Terminate card").click();
  await expect(page.getByText("This card is terminated, for good")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "for good" })).toContainText("Your wallet got ₦75,000.00");
  await expect(button(page, "Fund")).toHaveCount(0);
  expect(before - (await walletOf(merchantId))).toBe(660_000n);
  expect(said).toEqual([]);
});

test("a price that rises between quote and click charges nothing, and the button asks anew with the line that changed", async ({
  page,
}) => {
  const { merchantId } = await aCardPage(page);
  const before = await walletOf(merchantId);
  await openFund(page, "50");
  await expect(summary(page, "You pay")).toContainText("₦81,600.00");
  await setPrice(merchantId, { buy: 1500, sell: 1700 });
  await inDialog(page, "Fund card with $50.00").click();
  await expect(dialog(page).getByRole("alert")).toContainText("nothing was moved");
  await expect(summary(page, "You pay")).toContainText("was ₦81,600.00");
  await expect(summary(page, "You pay")).toContainText("₦86,700.00");
  expect(await walletOf(merchantId)).toBe(before);
  await inDialog(page, "Fund card with $50.00").click();
  await expect(dialog(page)).toContainText("₦86,700.00 was charged, as shown.");
  expect(before - (await walletOf(merchantId))).toBe(8_670_000n);
});

test("a price that falls between quote and click charges less than was shown, and the result says so", async ({ page }) => {
  const { merchantId } = await aCardPage(page);
  const before = await walletOf(merchantId);
  await openFund(page, "50");
  await expect(summary(page, "You pay")).toContainText("₦81,600.00");
  await setPrice(merchantId, { buy: 1500, sell: 1550 });
  await inDialog(page, "Fund card with $50.00").click();
  await expect(dialog(page)).toContainText("₦79,050.00 was charged: ₦2,550.00 less than shown");
  expect(before - (await walletOf(merchantId))).toBe(7_905_000n);
});

test("an unload at a rate that fell moves nothing, and at the new rate brings what is shown", async ({ page }) => {
  const { merchantId } = await aCardPage(page, 50);
  const before = await walletOf(merchantId);
  await button(page, "Unload").click();
  await inDialog(page, "All of it").click();
  await expect(summary(page, "You get")).toContainText("₦75,000.00");
  await setPrice(merchantId, { buy: 1400, sell: 1600 });
  await inDialog(page, "Unload $50.00").click();
  await expect(summary(page, "You get")).toContainText("was ₦75,000.00");
  expect(await walletOf(merchantId)).toBe(before);
  await inDialog(page, "Unload $50.00").click();
  await expect(dialog(page)).toContainText("Your wallet got ₦70,000.00 for $50.00, as shown.");
  expect((await walletOf(merchantId)) - before).toBe(7_000_000n);
});

test("a double click funds once", async ({ page }) => {
  const { merchantId } = await aCardPage(page);
  const before = await walletOf(merchantId);
  await openFund(page, "10");
  await inDialog(page, "Fund card with $10.00").dblclick();
  await expect(dialog(page)).toContainText("was charged, as shown.");
  expect(before - (await walletOf(merchantId))).toBe(1_760_000n);
});

test("after a lost answer and a reload, the page finds out what became of the funding, which is done once", async ({ page }) => {
  const { merchantId } = await aCardPage(page);
  const before = await walletOf(merchantId);
  await openFund(page, "10");
  await expect(summary(page, "You pay")).toContainText("₦17,600.00");
  await page.route("**/fund", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await inDialog(page, "Fund card with $10.00").click();
  await expect(dialog(page)).toContainText("the answer was lost");
  await page.unroute("**/fund");
  await page.reload();
  await untilAlive(page);
  await page.getByRole("main").getByRole("button", { name: "Find out" }).click();
  await inDialog(page, "Find out").click();
  await expect(dialog(page)).toContainText("The card got $10.00. ₦17,600.00 was charged");
  expect(before - (await walletOf(merchantId))).toBe(1_760_000n);
});

test("an amount never stands beside the price of another one, however late that price comes", async ({ page }) => {
  await aCardPage(page);
  let letGo = () => undefined as unknown;
  const held = new Promise((done) => {
    letGo = () => done(undefined);
  });
  await page.route(/quote\?.*amount=20/, async (route) => {
    await held;
    await route.continue();
  });
  await button(page, "Fund").click();
  const asked = page.waitForRequest(/amount=20/);
  await page.getByLabel("Amount in dollars").fill("20");
  await asked;
  await page.getByLabel("Amount in dollars").fill("100");
  await expect(summary(page, "Card gets")).toContainText("$100.00");
  const late = page.waitForResponse(/amount=20/);
  letGo();
  await late;
  await expect(summary(page, "Card gets")).toContainText("$100.00");
  await expect(inDialog(page, "Fund card with $100.00")).toBeEnabled();
});

test("a wallet that does not cover a funding is told what it lacks, and the way to add money", async ({ page }) => {
  await aCardPage(page);
  await openFund(page, "1,000");
  await expect(dialog(page)).toContainText("Your wallet lacks ₦1,116,000.00 for this.");
  await expect(dialog(page).getByRole("link", { name: "Add money" })).toBeVisible();
  await page.getByLabel("Amount in dollars").fill("0.5");
  await expect(dialog(page)).toContainText("Enter at least $1.00.");
});

test("a card that is frozen between quote and click is not funded, and the page says why", async ({ page }) => {
  const { merchantId, cardId } = await aCardPage(page);
  const before = await walletOf(merchantId);
  await openFund(page, "10");
  await expect(inDialog(page, "Fund card with $10.00")).toBeEnabled();
  await callAs(page, "POST", `/api/v1/virtual-cards/${cardId}/freeze`);
  await inDialog(page, "Fund card with $10.00").click();
  await expect(dialog(page).getByRole("alert")).toContainText("The card is frozen. Nothing was charged.");
  expect(await walletOf(merchantId)).toBe(before);
});

test("a shown number is gone when the page is left, covered or shown again, and a wrong password shows none", async ({ page }) => {
  const { cardId } = await aCardPage(page);
  await button(page, "Show number").click();
  await page.getByLabel("Your password").fill("not the password at all");
  await inDialog(page, "Show number").click();
  await expect(page.getByLabel("Your password")).toHaveAccessibleDescription(/not your password/);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  for (const leave of ["pagehide", "pageshow", "visibilitychange"] as const) {
    const number = await reveal(page);
    await page.evaluate((event) => {
      if (event === "visibilitychange") {
        Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
        document.dispatchEvent(new Event(event));
        Reflect.deleteProperty(document, "visibilityState");
      } else window.dispatchEvent(new PageTransitionEvent(event, { persisted: true }));
    }, leave);
    await expect(dialog(page)).toContainText("The number is hidden again.");
    await expectNowhere(page, number);
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
  }
  const number = await reveal(page);
  await page.goto(dashboard("/test/cards"));
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(cardId));
  await expectNowhere(page, number);
});

test("a shown number is hidden after a minute", async ({ page }) => {
  await aCardPage(page);
  await page.clock.install();
  const number = await reveal(page);
  await expect(dialog(page).getByRole("status").filter({ hasText: "Shown for 60 seconds" })).toHaveCount(1);
  await page.clock.runFor(61_000);
  await expect(dialog(page)).toContainText("The number is hidden again.");
  await expectNowhere(page, number);
});

test("another business's card and cardholder are not found", async ({ page, browser }) => {
  const { cardId } = await aCardPage(page);
  const [holder] = (await callAs(page, "GET", "/api/v1/virtual-cards/cardholders")).data;
  const stranger = await (await browser.newContext()).newPage();
  await aMember(stranger);
  for (const path of [`/test/cards/${cardId}`, `/test/cards/holders/${holder.id}`, "/test/cards/holders/x", "/test/cards/card_x"]) {
    expect((await stranger.goto(dashboard(path)))?.status(), path).toBe(404);
  }
});
