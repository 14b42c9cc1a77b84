import { expect, test } from "@playwright/test";
import { openLink, simulate } from "./browser.ts";
import { api, createLink } from "./merchant.ts";

test("the account number and the amount are copied as digits alone", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const link = await createLink({ amount: 1_234.5 });
  await page.goto(link.payment_link);
  const number = await page.locator("#account").textContent();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy account number" }).click();
  await expect.poll(copied).toBe(number);
  expect(number).toMatch(/^\d{10}$/);
  await page.getByRole("button", { name: "Copy amount" }).click();
  await expect.poll(copied).toBe("1234.50");
});

test("a button that could not copy never says that it did, so that no payer pastes another number", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
    document.execCommand = () => false;
  });
  const link = await openLink(page);
  const button = page.getByRole("button", { name: "Copy Account number" });
  await button.click();
  await expect(page.locator("#age")).toHaveText(/Press and hold the number/);
  await expect(page.getByRole("status")).toHaveText(/Press and hold the number/);
  await expect(button).toBeFocused();
  await expect.poll(async () => (await api(`/checkout/timeline?reference=${link.reference}`)).data.length).toBe(2);
});

test("a receipt is shared by the phone's share sheet or else its link is copied, and a printed one can be verified", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => Object.defineProperty(navigator, "share", { value: undefined, configurable: true }));
  const link = await openLink(page);
  await simulate(page, "Exact amount");
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.getByRole("status")).toContainText("Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link.payment_link);
  await page.evaluate(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.defineProperty(navigator, "share", { value: async (data: unknown) => shared.push(data), configurable: true });
  });
  await page.getByRole("button", { name: "Share" }).click();
  expect(await page.evaluate(() => (window as unknown as { shared: unknown[] }).shared)).toEqual([
    { title: "Paid ₦5,000.00 · Ada's Kitchen (test)", url: link.payment_link },
  ]);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByText(`Anyone can check this receipt at ${link.payment_link}`)).toBeVisible();
  for (const name of ["Print", "Share"]) await expect(page.getByRole("button", { name })).toBeHidden();
  // A test receipt must not pass for a receipt of real money.
  await expect(page.getByText("Test mode: no real money moves.")).toBeVisible();
  await expect(page.getByText("Simulate", { exact: true })).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(0, 0, 0)");
});
