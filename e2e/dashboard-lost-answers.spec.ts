import { expect, type Page, test } from "@playwright/test";
import { aCardPage, walletOf } from "./cards.ts";
import { callAs, dashboard, untilAlive } from "./people.ts";
import { aBuyer, button } from "./top-ups.ts";

const dialog = (page: Page) => page.getByRole("dialog");
const findOut = (page: Page) => button(page, "Find out");

/** The request is done, and its answer is lost. */
const loseAnswer = (page: Page, path: string) =>
  page.route(path, async (route) => {
    await route.fetch();
    await route.abort();
  });

/** The server refuses before it looks at the Idempotency-Key. */
const refuse = (page: Page, path: string) =>
  page.route(path, (route) =>
    route.fulfill({
      status: 429,
      json: { error: { code: "RATE_LIMITED", message: "Slower.", outcome: "not_executed", errors: [], request_id: "req_x" } },
    }),
  );

/** Presses a button whose answer is lost, and again for an answer that does not show whether the first one was executed. */
async function loseAndRefuse(page: Page, path: string, name: string) {
  await loseAnswer(page, path);
  await button(page, name).click();
  await expect(findOut(page)).toBeVisible();
  await page.unroute(path);
  await refuse(page, path);
  await findOut(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "That was too much at once" })).toBeVisible();
  await expect(findOut(page)).toBeVisible();
  await page.unroute(path);
}

test("after a lost answer a funding stays the only thing to send, even after a refusal, until its answer is found, and is done once", async ({
  page,
}) => {
  const { cardId, merchantId } = await aCardPage(page);
  const before = await walletOf(merchantId);
  await button(page, "Fund").click();
  await page.getByLabel("Amount in dollars").fill("10");
  await loseAndRefuse(page, `**/virtual-cards/${cardId}/fund`, "Fund card with $10.00");
  await expect(page.getByLabel("Amount in dollars")).toHaveCount(0);
  await findOut(page).click();
  await expect(dialog(page)).toContainText("The card got $10.00");
  expect(before - (await walletOf(merchantId))).toBe(1_760_000n);
});

test("after a lost answer the same card stays the only one to issue, even after a refusal, and is issued once", async ({ page }) => {
  await aCardPage(page);
  await page.goto(dashboard("/test/cards"));
  await untilAlive(page);
  await button(page, "Issue card").click();
  await dialog(page).getByLabel("Nickname").fill("Second");
  const path = "**/api/v1/virtual-cards";
  await loseAnswer(page, path);
  await dialog(page).getByRole("button", { name: "Issue card" }).click();
  await expect(findOut(page)).toBeVisible();
  await expect(dialog(page).getByLabel("Nickname")).toHaveCount(0);
  await page.unroute(path);
  await refuse(page, path);
  await findOut(page).click();
  await expect(dialog(page)).toContainText("That was too much at once");
  await page.unroute(path);
  await findOut(page).click();
  await page.waitForURL(/\/cards\/card_/);
  expect((await callAs(page, "GET", "/api/v1/virtual-cards")).data).toHaveLength(2);
});

test("after a lost answer a file can only be confirmed again as it was, and is bought once", async ({ page }) => {
  test.slow();
  await aBuyer(page, 20_000);
  await page.goto(dashboard("/test/top-ups/bulk"));
  await untilAlive(page);
  const file = Buffer.from("phone,amount,network\r\n08031000017,100,mtn\r\n08031000017,100,mtn");
  await page.getByLabel("CSV file").setInputFiles({ name: "phones.csv", mimeType: "text/csv", buffer: file });
  await button(page, "Check the file").click();
  await page.waitForURL(/\/bulk\/blk_/);
  await untilAlive(page);
  await loseAndRefuse(page, "**/confirm", "Buy 1 top-up for ₦100.00");
  await expect(page.getByRole("checkbox", { name: /Line 3/ })).toHaveCount(0);
  await findOut(page).click();
  await expect(page.getByText("Finished", { exact: true })).toBeVisible({ timeout: 120_000 });
  expect((await callAs(page, "GET", "/api/v1/wallet")).data.available).toBe(19_900);
});
