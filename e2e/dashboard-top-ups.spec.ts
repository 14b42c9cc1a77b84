import { expect, test } from "@playwright/test";
import { aMember, dashboard, untilAlive } from "./people.ts";
import { aBuyer, button, buy, choosePlan, fillAirtime, openTopUp, purchasesOf, receiptOf } from "./top-ups.ts";

test("a person buys airtime by clicking, with a network that is guessed, and the page says when it has settled", async ({ page }) => {
  await aBuyer(page);
  await page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link", { name: "Top-ups" }).click();
  await page.getByRole("link", { name: "Buy airtime" }).first().click();
  await untilAlive(page);
  await fillAirtime(page, "+234 803-123-1111", "₦200");
  await expect(page.getByRole("radio", { name: "MTN" })).toBeChecked();
  await expect(page.getByText("Guessed from the number.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Summary" })).toContainText("₦99,800");
  await buy(page).click();
  await receiptOf(page, "Processing");
  await expect(page.getByText("Do not buy it again: this page will tell you.")).toBeVisible();
  await receiptOf(page, "Delivered");
  await expect(page.getByText("Delivered to 0803 123 1111.")).toBeVisible();
  await page.getByRole("link", { name: "Buy again" }).click();
  await untilAlive(page);
  await expect(page.getByLabel("Phone number")).toHaveValue("0803 123 1111");
  await expect(buy(page)).toHaveText("Buy ₦200.00 MTN airtime for 0803 123 1111");
});

test("the guessed network can be changed, because numbers are moved to other networks", async ({ page }) => {
  await aBuyer(page);
  await openTopUp(page, "/airtime");
  await fillAirtime(page, "08031234567");
  await page.getByRole("radio", { name: "Glo" }).check();
  await expect(page.getByText("If it was moved to Glo, go on.")).toBeVisible();
  await buy(page).click();
  await receiptOf(page, "Delivered");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Glo airtime");
});

test("a plan is found by its size, price and days, and data is bought", async ({ page }) => {
  await aBuyer(page);
  await openTopUp(page, "/data");
  await page.getByLabel("Phone number").fill("0802 123 4567");
  const search = page.getByRole("searchbox");
  await search.fill("nothing like this");
  await expect(page.getByText("No plan matches")).toBeVisible();
  await button(page, "Clear the search").click();
  await search.fill("13 gb 30 days 5,000");
  await expect(page.getByRole("radio", { name: /GB/ })).toHaveCount(1);
  await choosePlan(page, /13GB/);
  await search.fill("25gb");
  await expect(page.getByRole("radio", { name: /13GB/ })).toBeChecked();
  await expect(buy(page)).toHaveText("Buy ₦5,000.00 Airtel 13GB Gifting, 30 days for 0802 123 4567");
  await buy(page).click();
  await receiptOf(page, "Delivered");
});

test("electricity is bought for a meter whose owner is named, and the receipt has its token in groups of four", async ({ page }) => {
  await aBuyer(page);
  await openTopUp(page, "/electricity");
  await page.getByLabel("Disco").selectOption({ label: "Ikeja Electric (IKEDC)" });
  await page.getByLabel("Meter number").fill("4501 2345 678");
  await expect(page.getByText("EMEKA OKAFOR").or(page.getByText("NGOZI EZE")).first()).toBeVisible();
  await page.getByLabel("Amount in Naira").fill("2000");
  await buy(page).click();
  await receiptOf(page, "Delivered");
  await expect(page.getByRole("region", { name: "Token" })).toContainText(/\d{4} \d{4} \d{4} \d{4}/);
  await page.goto(dashboard("/test/top-ups/electricity"));
  await untilAlive(page);
  await button(page, /4501 2345 678/).click();
  await expect(page.getByLabel("Meter number")).toHaveValue("4501 2345 678");
});

test("a slow lookup of the owner's name does not delay paying for cable TV", async ({ page }) => {
  await aBuyer(page);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/vtu/cable/verify", async (route) => {
    await held;
    await route.abort();
  });
  await openTopUp(page, "/cable");
  await page.getByRole("radio", { name: "GOTV", exact: true }).check();
  await page.getByLabel("Smart card number").fill("7034562211");
  await expect(page.getByText("Looking up the name…")).toBeVisible();
  await choosePlan(page, /GOtv Jinja/);
  await expect(page.getByText("We could not check the name.")).toBeVisible();
  await expect(buy(page)).toHaveText("Buy ₦3,900.00 GOtv Jinja for 7034 5622 11");
  await buy(page).click();
  await receiptOf(page, "Delivered");
  release();
});

test("if one of 17 exam pins is not delivered, the receipt lists 16 and says how much money came back", async ({ page }) => {
  await aBuyer(page);
  await openTopUp(page, "/exam-pins");
  await choosePlan(page, /NABTEB/);
  await page.getByLabel("How many pins").fill("17");
  await expect(buy(page)).toHaveText("Buy ₦18,700.00 NABTEB result checker × 17");
  await buy(page).click();
  await receiptOf(page, "Delivered");
  await expect(page.getByText("A part was delivered: 16 of 17. ₦1,100.00 is back in your wallet.")).toBeVisible();
  await expect(page.getByRole("region", { name: "16 pins" }).getByRole("row")).toHaveCount(17);
});

test("a purchase that was not delivered says that the money is back", async ({ page }) => {
  await aBuyer(page);
  await openTopUp(page, "/airtime");
  await fillAirtime(page, "08031230000");
  await buy(page).click();
  await receiptOf(page, "Failed");
  await expect(page.getByText(/^Error: Not delivered to 0803 123 0000\..*₦200\.00 is back in your wallet\.$/)).toBeVisible();
  expect(await purchasesOf(page)).toMatchObject([{ status: "failed" }]);
});

test("another business's purchase and an unknown one are not found", async ({ page, browser }) => {
  await aBuyer(page);
  await openTopUp(page, "/airtime");
  await fillAirtime(page, "08031234567");
  await buy(page).click();
  const reference = await receiptOf(page, "Delivered");
  const stranger = await (await browser.newContext()).newPage();
  await aMember(stranger);
  for (const path of [reference, "vtu_00000000000000000000000000000000000", "%3Cb%3E"]) {
    expect((await stranger.goto(dashboard(`/test/top-ups/${path}`)))?.status()).toBe(404);
  }
});
