import { expect, test } from "@playwright/test";
import { aShop, heading, openLink } from "./browser.ts";
import { api, createLink } from "./merchant.ts";

test("an open page shows the payment by itself and moves the focus to its heading", async ({ page }) => {
  const shop = await aShop();
  const link = await createLink({ callback_url: shop.url });
  await page.goto(link.payment_link);
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  await expect(page.getByRole("status")).toHaveText(/You may leave this page and come back\. Do not send the money again\./);
  await expect(page.getByText("Transfer exactly")).toBeHidden();
  await api(`/test/checkout/${link.reference}/transfer`, {});
  const heading = page.getByRole("heading", { name: "Ada's Kitchen has received your ₦5,000.00" });
  await expect(heading).toBeVisible();
  await expect(heading).toBeFocused();
  shop.close();
});

for (const [how, comeBack] of [
  ["the page is visible again", () => document.dispatchEvent(new Event("visibilitychange"))],
  ["the page is shown from the back-forward cache", () => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))],
  ["the network is back", () => window.dispatchEvent(new Event("online"))],
] as const) {
  test(`a payer who comes back from the bank's app sees the payment at once, without waiting for a poll: ${how}`, async ({ page }) => {
    const link = await createLink();
    // A later poll would show the payment too. Polls fail here, so that only the reload of a returning payer can show it.
    await page.route(`**/pay/${link.reference}/status`, (route) => route.abort());
    await page.goto(link.payment_link, { waitUntil: "networkidle" });
    await expect(page.locator("#timer")).toHaveText(/^(29|30):\d\d$/);
    await api(`/test/checkout/${link.reference}/transfer`, {});
    await page.evaluate(comeBack);
    await expect(heading(page)).toHaveText(/has received your/);
  });
}

test("an earlier request that hangs does not delay a payer who comes back", async ({ page }) => {
  const link = await createLink();
  let hung = 0;
  await page.route(`**/pay/${link.reference}/status`, () => {
    hung += 1;
  });
  await page.goto(link.payment_link);
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  await expect.poll(() => hung).toBeGreaterThan(0);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  // The page itself aborts a request only after 15 s.
  await expect(heading(page)).toHaveText(/has received your/, { timeout: 10_000 });
});

test("a browser that is wrong about being offline still shows the payment, and then no longer says that it is offline", async ({
  page,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }));
  await page.clock.install();
  const link = await openLink(page);
  await expect(page.locator("#age")).toHaveText(/^You are offline/);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await page.clock.fastForward("00:41");
  await expect(heading(page)).toHaveText(/has received your/);
  await expect(page.locator("#age")).toBeEmpty();
});

test("'Check status' says its result: no transfer yet, no answer, or the payment", async ({ page }) => {
  const link = await openLink(page);
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  const press = () => page.getByRole("button", { name: "Check status" }).click();
  await press();
  await expect(page.getByRole("status")).toHaveText(/No transfer has been seen yet\.$/);
  await page.route("**/status*", (route) => route.abort());
  await press();
  await expect(page.locator("#age")).toHaveText("There is no answer just now. If you have sent money, it is safe.");
  await api(`/test/checkout/${link.reference}/transfer`, {});
  // Polls fail until here. Otherwise a poll could show the payment before the press.
  await page.unroute("**/status*");
  await press();
  await expect(heading(page)).toHaveText(/has received your/);
  await expect(page.getByRole("status")).toHaveText("Paid.");
});

test("a hidden page sends no request, also when an earlier answer arrives late", async ({ page }) => {
  await page.clock.install();
  const link = await createLink();
  let asked = 0;
  let answer: (() => Promise<void>) | undefined;
  await page.route(`**/pay/${link.reference}/status`, (route) => {
    asked += 1;
    answer = () => route.continue();
  });
  await page.goto(link.payment_link);
  await page.clock.runFor(2_500);
  await expect.poll(() => asked).toBe(1);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  const answered = page.waitForResponse("**/status");
  await answer?.();
  await (await answered).finished();
  await page.clock.runFor("02:00");
  expect(asked).toBe(1);
});
