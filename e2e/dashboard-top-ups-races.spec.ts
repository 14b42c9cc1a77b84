import { expect, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { aBuyer, button, buy, choosePlan, fillAirtime, openTopUp, purchasesOf, receiptOf } from "./top-ups.ts";

test("a repeated purchase within seconds asks for confirmation, and is bought only after it", async ({ page }) => {
  await aBuyer(page);
  for (const _ of [1, 2]) {
    await openTopUp(page, "/airtime");
    await fillAirtime(page, "08031234567");
    await buy(page).click();
    if (_ === 1) await receiptOf(page, "Delivered");
  }
  const question = page.getByRole("dialog", { name: "Buy it again?" });
  await expect(question).toContainText(/You bought the same \d+ s ago: ₦200\.00 MTN airtime for 0803\s123\s4567/);
  expect(await purchasesOf(page)).toHaveLength(1);
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await buy(page).click();
  await question.getByRole("button", { name: "Buy it again", exact: true }).click();
  await receiptOf(page, "Delivered");
  expect(await purchasesOf(page)).toHaveLength(2);
});

test("a double click buys once", async ({ page }) => {
  await aBuyer(page);
  await openTopUp(page, "/exam-pins");
  // Exam pins have no recipient, so the check for duplicates does not apply, and only the Idempotency-Key of the click protects.
  await choosePlan(page, /NABTEB/);
  await buy(page).dblclick();
  await receiptOf(page, "Delivered");
  expect(await purchasesOf(page)).toHaveLength(1);
});

test("after a lost answer, a reload and a step back, one purchase is made, and the page finds its result", async ({ page }) => {
  await aBuyer(page);
  await openTopUp(page, "/exam-pins");
  await page.route("**/vtu/exam", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await choosePlan(page, /NABTEB/);
  await buy(page).click();
  const says = page.getByText("You sent this before, and the answer was lost");
  await expect(says).toBeVisible();
  await page.reload();
  await expect(says).toBeVisible();
  await openTopUp(page);
  await page.goBack();
  await expect(page.getByText("₦1,100.00 for 1 exam pin.")).toBeVisible();
  // The first attempt that gets an answer is refused before its key is looked up, so it does not show whether the purchase was made.
  await page.unroute("**/vtu/exam");
  await page.route("**/vtu/exam", (route) =>
    route.fulfill({
      status: 429,
      json: { success: false, error: { code: "RATE_LIMITED", message: "Wait.", outcome: "not_executed", request_id: "req_1" } },
    }),
  );
  await button(page, "Find out what became of it").click();
  await expect(button(page, "Find out what became of it")).toBeEnabled();
  await expect(says).toBeVisible();
  await page.unroute("**/vtu/exam");
  await button(page, "Find out what became of it").click();
  await receiptOf(page, "Delivered");
  expect(await purchasesOf(page)).toHaveLength(1);
  await openTopUp(page, "/exam-pins");
  await expect(says).toHaveCount(0);
});

test("a request that never reached the server is bought once when the person asks for its result", async ({ page }) => {
  await aBuyer(page);
  await openTopUp(page, "/airtime");
  await page.route("**/vtu/airtime", (route) => route.abort());
  await fillAirtime(page, "08031234567");
  await buy(page).click();
  await page.unroute("**/vtu/airtime");
  await button(page, "Find out what became of it").click();
  await receiptOf(page, "Delivered");
  expect(await purchasesOf(page)).toHaveLength(1);
});

test("a price that changed between view and click is shown, and only the next click buys at it", async ({ page }) => {
  await aBuyer(page);
  const [plan] = await sql()<{ id: number; selling_price: bigint }[]>`
    select id, selling_price from products where provider = 'sandbox' and name = '9mobile 1.1GB Gifting, 30 days'`;
  await openTopUp(page, "/data");
  await page.getByLabel("Phone number").fill("08091234567");
  await choosePlan(page, /1\.1GB/);
  await expect(buy(page)).toHaveText(/^Buy ₦1,000\.00 9mobile/);
  await sql()`update products set selling_price = 110050 where id = ${plan?.id ?? 0}`;
  try {
    await buy(page).click();
    await expect(page.getByText("It costs ₦1,100.50 now. Nothing was bought.")).toBeVisible();
    await expect(buy(page)).toHaveText(/^Buy ₦1,100\.50 9mobile/);
    expect(await purchasesOf(page)).toHaveLength(0);
    // The order asks the provider for that price, and the provider still has its own.
    await buy(page).click();
    await receiptOf(page, "Failed");
    expect(await purchasesOf(page)).toMatchObject([{ amount: 1_100.5 }]);
  } finally {
    await sql()`update products set selling_price = ${String(plan?.selling_price)} where id = ${plan?.id ?? 0}`;
  }
});

test("a wallet that lacks money says how much is missing and leads to adding it, and a withdrawn plan says so", async ({ page }) => {
  await aBuyer(page, 500);
  await openTopUp(page, "/airtime");
  await fillAirtime(page, "08031234567", "2,000.50");
  await expect(page.getByText("₦1,500.50 is missing in your wallet, which has ₦500.00.")).toBeVisible();
  await buy(page).click();
  const refusal = page.getByRole("alert").filter({ hasText: "Your wallet does not cover this" });
  await expect(refusal).toContainText("Nothing was charged. ₦1,500.50 is missing.");
  await expect(refusal.getByRole("link", { name: "Add money" })).toHaveAttribute(
    "href",
    "/test/links/new?description=Add+money+to+my+wallet&amount=1500.50",
  );
  await openTopUp(page, "/data");
  await page.getByLabel("Phone number").fill("08091234567");
  await choosePlan(page, /180MB/);
  await sql()`update products set withdrawn_at = now() where provider = 'sandbox' and name = '9mobile 180MB Gifting, 1 day'`;
  try {
    await buy(page).click();
    await expect(page.getByText("This is not sold any more")).toBeVisible();
  } finally {
    await sql()`update products set withdrawn_at = null where provider = 'sandbox' and name = '9mobile 180MB Gifting, 1 day'`;
  }
});
