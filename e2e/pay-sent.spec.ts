import { expect, test } from "@playwright/test";
import { openLink } from "./browser.ts";
import { createLink } from "./merchant.ts";

test("'I've sent the money' is sent again until the server confirms it, and then every tab of the link shows it", async ({
  page,
  context,
}) => {
  const link = await createLink();
  let tries = 0;
  await page.route(`**/pay/${link.reference}/activity`, (route) => {
    if (!route.request().postData()?.includes("sent")) return route.continue();
    tries += 1;
    return tries === 1 ? route.abort() : route.continue();
  });
  const other = await context.newPage();
  // A later poll would show it in the other tab too. Polls fail there, so that only a reload can show it.
  await other.route(`**/pay/${link.reference}/status`, (route) => route.abort());
  for (const each of [page, other]) await each.goto(link.payment_link);
  const told = page.waitForResponse((response) => response.url().endsWith("/activity") && response.ok());
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  await told;
  expect(tries).toBeGreaterThan(1);
  await expect(page.locator("#sent")).toBeFocused();
  await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(other.locator("#sent")).toBeVisible();
  await page.reload();
  await expect(page.locator("#sent")).toBeVisible();
});

test("an unconfirmed 'I've sent the money' stays on the page when other news arrives", async ({ page }) => {
  const link = await openLink(page);
  await page.route(`**/pay/${link.reference}/activity`, (route) => route.abort());
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  // The server's next page says that the bank is down, and does not know of the payer's report.
  await page.route(link.payment_link, async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replace(/(data-version="[^"]*)-0-0"/, '$1-1-0"')
      .replace("Payments by Oja", "Payments by Oja, still");
    await route.fulfill({ response, body });
  });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText("Payments by Oja, still")).toBeVisible();
  await expect(page.locator("#sent")).toBeVisible();
  await expect(page.getByText("Transfer exactly")).toBeHidden();
});
