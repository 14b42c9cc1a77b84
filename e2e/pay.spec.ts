import { createServer } from "node:http";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { api, createLink } from "./merchant.ts";

/** A shop that customers come back to. */
async function aShop() {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? "");
    response.setHeader("Content-Type", "text/html").end("<title>Thank you</title>");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}`, visits, close: () => server.close() };
}

const expectNoAxeViolations = async (page: Page) => {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
};

test("from a created link to a paid one: page, sandbox bank, redirect, wallet and feed", async ({ page }) => {
  const shop = await aShop();
  const before = (await api("/wallet")).data.balance;
  const link = await createLink({ amount: 7_250.5, callback_url: `${shop.url}/done?cart=a%20b` });
  await page.goto(link.payment_link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pay Ada's Kitchen");
  await expect(page.getByText("₦7,250.50").first()).toBeVisible();
  await page.getByRole("link", { name: "Pay at the sandbox bank" }).click();
  await page.getByRole("button", { name: "Send transfer" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada's Kitchen has received your ₦7,250.50");
  await page.waitForURL(`${shop.url}/**`, { timeout: 15_000 });
  expect(shop.visits.filter((visit) => visit.startsWith("/done"))).toEqual([`/done?cart=a%20b&reference=${link.reference}&status=success`]);
  expect((await api("/wallet")).data.balance).toBe(before + 7_250.5);
  const feed = (await api("/events?after=0&limit=100")).data;
  expect(feed.filter((event: { type: string; data: { reference: string } }) => event.data.reference === link.reference)).toMatchObject([
    { type: "checkout.success", data: { status: "success", amount: 7_250.5 } },
  ]);
  shop.close();
});

test("a page that is open hears of the payment by itself, says so, and 'stay here' keeps the payer", async ({ page }) => {
  const shop = await aShop();
  const link = await createLink({ callback_url: shop.url });
  await page.goto(link.payment_link);
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  await expect(page.getByRole("status")).toHaveText(/Checking with the bank/);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  const heading = page.getByRole("heading", { name: "Ada's Kitchen has received your ₦5,000.00" });
  await expect(heading).toBeVisible({ timeout: 8_000 });
  await expect(heading).toBeFocused();
  await page.getByRole("button", { name: "Stay here" }).click();
  await page.reload();
  await expect(page.getByText("You go back in")).toBeHidden();
  expect(shop.visits).toEqual([]);
  shop.close();
});

test("a payer who comes back from the bank's app sees the payment within a second", async ({ page }) => {
  const link = await createLink();
  await page.goto(link.payment_link);
  await expect(page.locator("#timer")).toHaveText(/^(29|30):\d\d$/);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible({ timeout: 1_000 });
});

test("the account number and the amount are copied as digits alone", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const link = await createLink({ amount: 1_234.5 });
  await page.goto(link.payment_link);
  const number = await page.locator("#account").textContent();
  await page.getByRole("button", { name: "Copy account number" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(number);
  expect(number).toMatch(/^\d{10}$/);
  await page.getByRole("button", { name: "Copy amount" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("1234.50");
});

test("a wrong amount is explained, and the right one still pays", async ({ page }) => {
  const link = await createLink();
  await page.goto(link.payment_link);
  await api(`/test/checkout/${link.reference}/transfer`, { amount: 4_000 });
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  await expect(page.getByText("₦4,000.00 came, which is less than ₦5,000.00")).toBeVisible();
  await expectNoAxeViolations(page);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await expect(page.getByRole("heading", { level: 1 })).toContainText("has received your ₦5,000.00", { timeout: 12_000 });
});

test("the countdown follows the server, however wrong the phone's clock is", async ({ page }) => {
  const link = await createLink();
  await page.clock.install({ time: new Date("2031-05-05T00:00:00Z") });
  await page.goto(link.payment_link);
  await expect(page.locator("#timer")).toHaveText(/^(29|30):\d\d$/);
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

test("an unknown reference tells nothing", async ({ page }) => {
  const response = await page.goto(`${process.env.BASE_URL}/pay/00000000000000000000000000`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("We cannot find this payment");
  await expectNoAxeViolations(page);
});

test("hostile text is shown as text, and a script in it does not run", async ({ page }) => {
  const alerts: string[] = [];
  page.on("dialog", (dialog) => alerts.push(dialog.message()));
  const description = `<img src=x onerror=alert(1)><script>alert(1)</script>\u202e${"👩🏾‍🌾".repeat(30)}`;
  const link = await createLink({ description });
  await page.goto(link.payment_link);
  await expect(page.getByText("<script>alert(1)</script>")).toBeVisible();
  expect(await page.locator("img").count()).toBe(0);
  expect(alerts).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("everything is readable, the status comes by a form and by itself, and the way back is a link", async ({ page }) => {
    const link = await createLink({ callback_url: "https://shop.example/done" });
    await page.goto(link.payment_link);
    await expect(page.locator("#account")).toBeVisible();
    await expect(page.getByRole("button", { name: /Copy/ })).toHaveCount(0);
    await expect(page.locator("noscript")).toHaveCount(1);
    expect(await page.content()).toContain('http-equiv="refresh" content="30"');
    await api(`/test/checkout/${link.reference}/transfer`, {});
    await page.getByRole("button", { name: "Check status" }).click();
    await expect(page.getByRole("link", { name: "Return to shop.example" })).toHaveAttribute(
      "href",
      `https://shop.example/done?reference=${link.reference}&status=success`,
    );
  });
});

test("the page stays within its budget: bytes, script, requests, no cookie, no third party", async ({ page, context }) => {
  const link = await createLink();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  const sizes = new Map<string, number>();
  const urls = new Map<string, string>();
  client.on("Network.responseReceived", ({ requestId, response }) => urls.set(requestId, response.url));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  await page.goto(link.payment_link, { waitUntil: "networkidle" });
  const loads = [...urls].filter(([, url]) => !url.startsWith("data:") && !url.endsWith("/status"));
  const bytes = loads.reduce((sum, [id]) => sum + (sizes.get(id) ?? 0), 0);
  const script = loads.filter(([, url]) => url.endsWith(".js")).reduce((sum, [id]) => sum + (sizes.get(id) ?? 0), 0);
  console.log(`payer's page: ${bytes} bytes in ${loads.length} requests, ${script} of them script`);
  expect(loads.every(([, url]) => url.startsWith(process.env.BASE_URL ?? ""))).toBe(true);
  expect(loads.length).toBeLessThanOrEqual(4);
  expect(bytes).toBeLessThanOrEqual(20 * 1024);
  expect(script).toBeLessThanOrEqual(5 * 1024);
  expect(await context.cookies()).toEqual([]);
  const status = await (await fetch(`${link.payment_link}/status`)).arrayBuffer();
  expect(status.byteLength).toBeLessThan(300);
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1440]) {
    test(`the page passes axe while it awaits and when it is paid, ${colorScheme}, ${width} px`, async ({ browser }) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
      const page = await context.newPage();
      const link = await createLink({ callback_url: "https://shop.example" });
      await page.goto(link.payment_link);
      await expectNoAxeViolations(page);
      await api(`/test/checkout/${link.reference}/transfer`, {});
      await page.goto(link.payment_link);
      await page.getByRole("button", { name: "Stay here" }).click();
      await expectNoAxeViolations(page);
      await context.close();
    });
  }
}
