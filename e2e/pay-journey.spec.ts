import { expect, test } from "@playwright/test";
import { aShop, expectNoAxeViolations, heading, openLink, simulate } from "./browser.ts";
import { api, createLink, eventsOf } from "./merchant.ts";

test("a created link is paid at the sandbox bank, the payer returns to the shop, and wallet and feed show the payment", async ({
  page,
}) => {
  const shop = await aShop();
  const link = await createLink({ amount: 7_250.5, callback_url: `${shop.url}/done?cart=a%20b` });
  await page.goto(link.payment_link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pay ₦7,250.50");
  await simulate(page, "Pay at the sandbox bank");
  await page.getByRole("button", { name: "Send transfer" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada's Kitchen has received your ₦7,250.50");
  await page.getByRole("link", { name: /^Return to/ }).click();
  await page.waitForURL(`${shop.url}/**`);
  // The shop receives the callback's query and no referrer.
  expect(shop.visits.filter(({ url }) => url.startsWith("/done"))).toEqual([
    { url: `/done?cart=a%20b&reference=${link.reference}&status=success`, referer: undefined },
  ]);
  // Other tests credit the same wallet, so the test looks for this payment in the wallet's history.
  const { data: history } = await api("/wallet/transactions?limit=100");
  expect(history.filter(({ reference }: { reference: string }) => reference === link.reference)).toMatchObject([
    { type: "payment_link", direction: "credit", amount: 7_250.5 },
  ]);
  expect(await eventsOf(link.reference)).toMatchObject([{ type: "checkout.success", data: { status: "success", amount: 7_250.5 } }]);
  shop.close();
});

test("the merchant's timeline shows the payer's actions on the page", async ({ page }) => {
  const link = await openLink(page);
  const timeline = async () => (await api(`/checkout/timeline?reference=${link.reference}`)).data.map(({ type }: { type: string }) => type);
  await page.getByRole("button", { name: "Copy Account number" }).click();
  // Two requests at once may arrive in either order.
  await expect.poll(timeline).toContain("copied");
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  await expect.poll(timeline).toContain("sent");
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await expect.poll(timeline).toEqual(["created", "opened", "copied", "sent", "transfer", "posting"]);
});

test("a wrong amount is explained, and the right one still pays", async ({ page }) => {
  const link = await createLink();
  const status = `**/pay/${link.reference}/status`;
  // The first poll fails. The next one comes 20 s later, long after the press.
  await page.route(status, (route) => route.abort());
  const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/status"));
  await page.goto(link.payment_link);
  await api(`/test/checkout/${link.reference}/transfer`, { amount: 4_000 });
  await refused;
  await page.unroute(status);
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  // Looks in the card alone, because the live region says the same a moment later.
  await expect(page.locator("#page").getByText("₦4,000.00 came, which is less than ₦5,000.00")).toBeVisible();
  await expect(page.getByRole("status")).toHaveText(/^₦4,000\.00 came, which is less than ₦5,000\.00\. The bank has sent your money back/);
  await expect(heading(page)).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expectNoAxeViolations(page);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await expect(page.getByRole("heading", { level: 1 })).toContainText("has received your ₦5,000.00", { timeout: 30_000 });
});

test("an expired link says so and offers no account", async ({ page }) => {
  const link = await createLink();
  await page.goto(link.payment_link);
  await api(`/test/checkout/${link.reference}/expire`, {});
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This payment has expired");
  await expect(page.locator("#account")).toHaveCount(0);
  await expectNoAxeViolations(page);
});
