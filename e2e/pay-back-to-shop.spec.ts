import { expect, test } from "@playwright/test";
import { aShop, heading, stopTime } from "./browser.ts";
import { api, bringTransfersToLive, createLink, livePageOf } from "./merchant.ts";

test("a live page sends a payer who has just paid back to the shop unless the payer stays, and a test page never does", async ({
  page,
}) => {
  const shop = await aShop();
  const link = await createLink({ callback_url: shop.url });
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await stopTime(page);
  await page.goto(link.payment_link);
  await expect(page.getByText(/no money was paid\. 127\.0\.0\.1:\d+ is not part of Oja/)).toBeVisible();
  await page.clock.runFor(60_000);
  await expect(heading(page)).toBeVisible();
  expect(shop.visits).toEqual([]);
  const live = await livePageOf(link);
  await page.goto(live);
  await page.getByRole("button", { name: "Stay here" }).click();
  await page.reload();
  await expect(page.locator("#returning")).toBeHidden();
  await page.clock.runFor(60_000);
  expect(shop.visits).toEqual([]);
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(live);
  await expect(page.locator("#returning")).toBeVisible();
  await page.clock.runFor(6_000);
  await page.waitForURL(`${shop.url}/**`);
  expect(shop.visits.filter(({ url }) => url.includes("reference"))).toHaveLength(1);
  shop.close();
});

test("a second payment stops the countdown back to the shop, so that the payer can read about it", async ({ page }) => {
  const shop = await aShop();
  const link = await createLink({ callback_url: shop.url });
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await stopTime(page);
  await page.goto(await livePageOf(link));
  await expect(page.locator("#returning")).toBeVisible();
  // Two of the five seconds until the payer leaves.
  await page.clock.runFor(2_000);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await bringTransfersToLive(link);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText("₦5,000.00 came a second time.", { exact: true })).toBeVisible();
  await page.clock.runFor(10_000);
  await expect(heading(page)).toBeVisible();
  expect(shop.visits).toEqual([]);
  shop.close();
});
