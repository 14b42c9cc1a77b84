import { expect, test } from "@playwright/test";
import { simulate } from "./browser.ts";
import { api, createLink } from "./merchant.ts";

test.use({ javaScriptEnabled: false });

test("without JavaScript the page is readable, updates by a form and by itself, and links back to the shop", async ({ page }) => {
  const link = await createLink({ callback_url: "https://shop.example/done" });
  await page.goto(link.payment_link);
  await expect(page.locator("#account")).toBeVisible();
  for (const name of [/Copy/, /Offline/]) await expect(page.getByRole("button", { name })).toHaveCount(0);
  await expect(page.getByText("Time left")).toBeHidden();
  await expect(page.locator("noscript")).toHaveCount(1);
  expect(await page.content()).toContain('http-equiv="refresh" content="30"');
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  await expect(page.getByRole("heading", { name: "Checking for your transfer" })).toBeVisible();
  await page.getByText("I have not sent it yet").click();
  await page.getByRole("button", { name: "No, it did not" }).click();
  await expect(page.getByRole("heading", { name: "Pay ₦5,000.00" })).toBeVisible();
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  await expect(page.getByRole("heading", { name: "Checking for your transfer" })).toBeVisible();
  await simulate(page, "Too little");
  await expect(page.getByText("₦4,900.00 came, which is less than ₦5,000.00")).toBeVisible();
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await page.getByRole("button", { name: "Check status" }).click();
  for (const name of ["Print", "Share"]) await expect(page.getByRole("button", { name })).toBeHidden();
  await expect(page.getByRole("link", { name: "Return to shop.example" })).toHaveAttribute(
    "href",
    `https://shop.example/done?reference=${link.reference}&status=success`,
  );
});
