import { expect, test } from "@playwright/test";
import { secondsLeft } from "./browser.ts";
import { createLink } from "./merchant.ts";

test("the countdown follows the server, however wrong the phone's clock is", async ({ page }) => {
  const link = await createLink();
  await page.clock.install({ time: new Date("2031-05-05T00:00:00Z") });
  await page.goto(link.payment_link);
  await expect(page.locator("#timer")).toHaveText(/^(29|30):\d\d$/);
});

test("the countdown goes on when the phone's clock is changed while the page is open", async ({ page }) => {
  await page.clock.install();
  const link = await createLink();
  // An answer would set the page's clock to the server's time, which does not jump forward.
  await page.route(`**/pay/${link.reference}/status`, (route) => route.abort());
  await page.goto(link.payment_link);
  const left = () => secondsLeft(page);
  const before = await left();
  expect(before).toBeGreaterThan(29 * 60);
  await page.clock.setSystemTime(Date.now() - 3_600_000);
  await page.clock.fastForward(5_000);
  expect(await left()).toBeLessThanOrEqual(before - 5);
  // The hour by which the phone's clock changed does not count.
  expect(await left()).toBeGreaterThan(before - 60);
});
