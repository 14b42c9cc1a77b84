import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import sharp from "sharp";
import { aShop, expectNoAxeViolations, expectNoSidewaysScrolling, heading, openLink, secondsLeft, simulate, stopTime } from "./browser.ts";
import { api, bringTransfersToLive, createLink, eventsOf, livePageOf, merchantId } from "./merchant.ts";

const cli = (...args: string[]) => execFileSync(process.execPath, [join(import.meta.dirname, "../cli/main.ts"), ...args]);

/** As large a logo as we keep: a picture with so much detail that it just about fits. */
async function brandIt(): Promise<void> {
  const file = join(import.meta.dirname, "../.data/logo.png");
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  for (let width = 320; width > 0; width -= 4) {
    const picture = await sharp({ create: { width, height: 80, channels: 3, background: "#888", noise } })
      .png()
      .toBuffer();
    const logo = await sharp(picture).webp({ quality: 85, effort: 6 }).toBuffer();
    if (logo.byteLength > MAX_LOGO_BYTES) continue;
    expect(logo.byteLength).toBeGreaterThan(0.9 * MAX_LOGO_BYTES);
    writeFileSync(file, picture);
    break;
  }
  cli("brand", merchantId(), "--logo", file);
}
const MAX_LOGO_BYTES = 5 * 1024;

test("from a created link to a paid one: page, sandbox bank, redirect, wallet and feed", async ({ page }) => {
  const shop = await aShop();
  const link = await createLink({ amount: 7_250.5, callback_url: `${shop.url}/done?cart=a%20b` });
  await page.goto(link.payment_link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Pay Ada's Kitchen");
  await expect(page.getByText("₦7,250.50").first()).toBeVisible();
  await simulate(page, "Pay at the sandbox bank");
  await page.getByRole("button", { name: "Send transfer" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ada's Kitchen has received your ₦7,250.50");
  await page.getByRole("link", { name: /^Return to/ }).click();
  await page.waitForURL(`${shop.url}/**`);
  // The shop learns what the callback says, and not where its customer comes from.
  expect(shop.visits.filter(({ url }) => url.startsWith("/done"))).toEqual([
    { url: `/done?cart=a%20b&reference=${link.reference}&status=success`, referer: undefined },
  ]);
  // Other tests fill the same wallet, so what this payment did to it is read in the wallet's history, newest first.
  const { data: history } = await api("/wallet/transactions?limit=100");
  expect(history.filter(({ reference }: { reference: string }) => reference === link.reference)).toMatchObject([
    { type: "payment_link", direction: "credit", amount: 7_250.5 },
  ]);
  expect(await eventsOf(link.reference)).toMatchObject([{ type: "checkout.success", data: { status: "success", amount: 7_250.5 } }]);
  shop.close();
});

test("a page that is open hears of the payment by itself, says so, and 'stay here' keeps the payer", async ({ page }) => {
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

test("a payer who has just paid goes back to the shop by themselves, unless they stay; in test mode a click is asked for", async ({
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

for (const [how, comeBack] of [
  ["the page is seen again", () => document.dispatchEvent(new Event("visibilitychange"))],
  ["the page is shown from the back-forward cache", () => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))],
  ["the network is back", () => window.dispatchEvent(new Event("online"))],
] as const) {
  test(`a payer who comes back from the bank's app sees the payment at once, without waiting for a poll: ${how}`, async ({ page }) => {
    const link = await createLink();
    // A poll would bring it too, in its time: here only the look of a payer who comes back can.
    await page.route(`**/pay/${link.reference}/status`, (route) => route.abort());
    await page.goto(link.payment_link, { waitUntil: "networkidle" });
    await expect(page.locator("#timer")).toHaveText(/^(29|30):\d\d$/);
    await api(`/test/checkout/${link.reference}/transfer`, {});
    await page.evaluate(comeBack);
    await expect(heading(page)).toHaveText(/has received your/);
  });
}

test("a payer who comes back while an earlier question hangs is not kept waiting by it", async ({ page }) => {
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
  // The page gives a question up after 15 s.
  await expect(heading(page)).toHaveText(/has received your/, { timeout: 10_000 });
});

test("what a payer does on the page stands in the merchant's timeline", async ({ page }) => {
  const link = await openLink(page);
  const timeline = async () => (await api(`/checkout/timeline?reference=${link.reference}`)).data.map(({ type }: { type: string }) => type);
  await page.getByRole("button", { name: "Copy Account number" }).click();
  // Two requests at once may arrive in either order.
  await expect.poll(timeline).toContain("copied");
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  await expect.poll(timeline).toContain("sent");
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await expect.poll(timeline).toEqual(["created", "opened", "copied", "sent", "transfer"]);
});

test("who has paid twice is not sent away before they have read of it, whatever had begun", async ({ page }) => {
  const shop = await aShop();
  const link = await createLink({ callback_url: shop.url });
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await stopTime(page);
  await page.goto(await livePageOf(link));
  await expect(page.locator("#returning")).toBeVisible();
  // Two of the five seconds after which the payer leaves.
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

test("'I've sent the money' is told again until the server knows, and then every tab of this link knows", async ({ page, context }) => {
  const link = await createLink();
  let tries = 0;
  await page.route(`**/pay/${link.reference}/activity`, (route) => {
    if (!route.request().postData()?.includes("sent")) return route.continue();
    tries += 1;
    return tries === 1 ? route.abort() : route.continue();
  });
  const other = await context.newPage();
  // A poll would tell the other tab too, in its time: here only its look can.
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

test("what the server has not heard yet is not forgotten for other news", async ({ page }) => {
  const link = await openLink(page);
  await page.route(`**/pay/${link.reference}/activity`, (route) => route.abort());
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  // The bank has gone down meanwhile, says a page that the server has made without knowing.
  await page.route(link.payment_link, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(data-version="[^"]*)-0-0"/, '$1-1-0"').replace("Jollof for two", "Jollof, still");
    await route.fulfill({ response, body });
  });
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(page.getByText("Jollof, still")).toBeVisible();
  await expect(page.locator("#sent")).toBeVisible();
  await expect(page.getByText("Transfer exactly")).toBeHidden();
});

test("nothing is called copied that is not: who pastes something else pays somebody else", async ({ page }) => {
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

test("a browser that is wrong about being offline still hears of the payment, and then says no more that it is", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { get: () => false }));
  await page.clock.install();
  const link = await openLink(page);
  await expect(page.locator("#age")).toHaveText(/^You are offline/);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await page.clock.fastForward("00:41");
  await expect(heading(page)).toHaveText(/has received your/);
  await expect(page.locator("#age")).toBeEmpty();
});

test("a picture that comes late is no reason to ask for the page again", async ({ page }) => {
  await brandIt();
  const link = await createLink();
  await page.route("**/pay/logos/*", async (route) => {
    await new Promise((done) => setTimeout(done, 1_500));
    await route.continue();
  });
  let pages = 0;
  page.on("request", (request) => {
    if (request.url() === link.payment_link) pages += 1;
  });
  await page.goto(link.payment_link, { waitUntil: "networkidle" });
  expect(pages).toBe(1);
});

test("'check status' says what came of it: nothing yet, no answer, or the news", async ({ page }) => {
  const link = await openLink(page);
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  const press = () => page.getByRole("button", { name: "Check status" }).click();
  await press();
  await expect(page.getByRole("status")).toHaveText(/No transfer has been seen yet\.$/);
  await page.route("**/status*", (route) => route.abort());
  await press();
  await expect(page.locator("#age")).toHaveText("There is no answer just now. If you have sent money, it is safe.");
  await api(`/test/checkout/${link.reference}/transfer`, {});
  // No sooner, or the page's own question brings the news before the press.
  await page.unroute("**/status*");
  await press();
  await expect(heading(page)).toHaveText(/has received your/);
  await expect(page.getByRole("status")).toHaveText("Paid.");
});

test("a page that is not seen asks nothing, also when an answer comes after it was left", async ({ page }) => {
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

test("a wrong amount is explained, and the right one still pays", async ({ page }) => {
  const link = await createLink();
  const status = `**/pay/${link.reference}/status`;
  // The first question that the page asks by itself is refused; the next comes 20 s later, long after the press.
  await page.route(status, (route) => route.abort());
  const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/status"));
  await page.goto(link.payment_link);
  await api(`/test/checkout/${link.reference}/transfer`, { amount: 4_000 });
  await refused;
  await page.unroute(status);
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  // In the card: a moment later the live region says it too.
  await expect(page.locator("#page").getByText("₦4,000.00 came, which is less than ₦5,000.00")).toBeVisible();
  await expect(page.getByRole("status")).toHaveText(/^₦4,000\.00 came, which is less than ₦5,000\.00\. The bank has sent your money back/);
  await expect(heading(page)).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expectNoAxeViolations(page);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await expect(page.getByRole("heading", { level: 1 })).toContainText("has received your ₦5,000.00", { timeout: 30_000 });
});

test("the countdown follows the server, however wrong the phone's clock is", async ({ page }) => {
  const link = await createLink();
  await page.clock.install({ time: new Date("2031-05-05T00:00:00Z") });
  await page.goto(link.payment_link);
  await expect(page.locator("#timer")).toHaveText(/^(29|30):\d\d$/);
});

test("the countdown goes on, however the phone's clock is turned while the page is open", async ({ page }) => {
  await page.clock.install();
  const link = await createLink();
  // An answer would set the page's clock to the server's, which has not gone forward.
  await page.route(`**/pay/${link.reference}/status`, (route) => route.abort());
  await page.goto(link.payment_link);
  const left = () => secondsLeft(page);
  const before = await left();
  expect(before).toBeGreaterThan(29 * 60);
  await page.clock.setSystemTime(Date.now() - 3_600_000);
  await page.clock.fastForward(5_000);
  expect(await left()).toBeLessThanOrEqual(before - 5);
  // The phone's hour does not count.
  expect(await left()).toBeGreaterThan(before - 60);
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

test("hostile text is shown as text, in names too: no script in it runs, and it reaches no further than its place", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  const alerts: string[] = [];
  page.on("dialog", (dialog) => alerts.push(dialog.message()));
  const markup = "<img src=x onerror=alert(1)><script>alert(1)</script>\u202e\u2066";
  const description = markup + "👩🏾‍🌾".repeat((200 - [...markup].length) / 5);
  const fields = { amount: 5_000, description, customer_name: "<script>alert(2)</script>", callback_url: "https://shop.example/<script>" };
  const link = await api("/checkout/create", fields, process.env.E2E_HOSTILE_KEYS);
  const looksRight = async () => {
    await expectNoSidewaysScrolling(page);
    await expectNoAxeViolations(page);
    expect(await page.locator('img:not([src^="data:image/gif;"]), b, script:not([src])').count()).toBe(0);
    // Drawn left to right: the amount's first character stands to the left of its last.
    const amount = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.querySelector("main") as Element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const from = node.nodeValue?.indexOf("₦5,000.00") ?? -1;
        if (from < 0) continue;
        const box = (at: number) => {
          const range = document.createRange();
          range.setStart(node as Text, at);
          range.setEnd(node as Text, at + 1);
          return range.getBoundingClientRect().left;
        };
        return [box(from), box(from + 8)];
      }
      return [];
    });
    expect(amount[0]).toBeLessThan(amount[1] ?? 0);
  };
  await page.goto(link.payment_link);
  await expect(page.getByText("<script>alert(1)</script>")).toBeVisible();
  await looksRight();
  await simulate(page, "Exact amount");
  await expect(heading(page)).toHaveText(/has received your/);
  await looksRight();
  expect(alerts).toEqual([]);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("everything is readable, the status comes by a form and by itself, and the way back is a link", async ({ page }) => {
    const link = await createLink({ callback_url: "https://shop.example/done" });
    await page.goto(link.payment_link);
    await expect(page.locator("#account")).toBeVisible();
    for (const name of [/Copy/, /Offline/]) await expect(page.getByRole("button", { name })).toHaveCount(0);
    await expect(page.getByText("Time left")).toBeHidden();
    await expect(page.locator("noscript")).toHaveCount(1);
    expect(await page.content()).toContain('http-equiv="refresh" content="30"');
    await page.getByRole("button", { name: "I’ve sent the money" }).click();
    await expect(page.getByRole("heading", { name: "Checking with the bank" })).toBeVisible();
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
});

test("the page stays within its budget in its fullest states and longest language: bytes, script, requests, no cookie, no third party", async ({
  page,
  context,
}) => {
  await brandIt();
  const description = "Two trays of jollof and a very cold zobo, delivered to the gate of Block C";
  const plain = await createLink({ description });
  const wrong = await createLink({ description });
  for (const amount of [4_000, 6_000, 4_500]) await api(`/test/checkout/${wrong.reference}/transfer`, { amount });
  const paid = await createLink({ description, callback_url: "https://shop.example/thanks" });
  for (let i = 0; i < 3; i++) await api(`/test/checkout/${paid.reference}/transfer`, {});
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  const sizes = new Map<string, number>();
  const urls = new Map<string, string>();
  client.on("Network.requestWillBeSent", ({ requestId, request }) => urls.set(requestId, request.url));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  const views = [plain, wrong, paid].flatMap(({ payment_link: url }) => [url, `${url}?lang=yo&simulate=bank-down`]);
  for (const [path, width] of views.flatMap((view) => [[view, 360] as const, [view, 1440] as const])) {
    await page.goto("about:blank");
    await page.setViewportSize({ width, height: 800 });
    urls.clear();
    await client.send("Network.clearBrowserCache");
    await page.goto(path, { waitUntil: "networkidle" });
    // What the page asks for to be there. From 2 s on it polls, less than 300 bytes each time.
    const loads = [...urls].filter(([, url]) => !url.startsWith("data:") && !/\/status($|\?)/.test(url));
    const bytesOf = (part: [string, string][]) => part.reduce((sum, [id]) => sum + (sizes.get(id) ?? 0), 0);
    const [bytes, script] = [bytesOf(loads), bytesOf(loads.filter(([, url]) => url.endsWith(".js")))];
    console.log(`payer's page at ${width} px: ${bytes} bytes in ${loads.length} requests, ${script} of them script`);
    expect(loads.some(([, url]) => url.includes("/logos/"))).toBe(true);
    expect(script).toBeGreaterThan(0);
    expect(loads.every(([, url]) => url.startsWith(process.env.BASE_URL ?? ""))).toBe(true);
    expect(loads.length).toBeLessThanOrEqual(4);
    expect(loads.some(([, url]) => url.endsWith("/qr.svg"))).toBe(width === 1440 && !path.startsWith(paid.payment_link));
    expect(bytes).toBeLessThanOrEqual(20 * 1024);
    expect(script).toBeLessThanOrEqual(5 * 1024);
  }
  expect(await context.cookies()).toEqual([]);
  const status = await (await fetch(`${plain.payment_link}/status`)).arrayBuffer();
  expect(status.byteLength).toBeLessThan(300);
});

test("a receipt is shared by whatever the phone shares with, else its link is copied, and on paper it can be verified", async ({
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
  // A receipt of play money must not pass for one of real money.
  await expect(page.getByText("Test mode: no real money moves.")).toBeVisible();
  await expect(page.getByText("Simulate", { exact: true })).toBeHidden();
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(0, 0, 0)");
});
