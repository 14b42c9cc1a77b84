import { type Browser, expect, type Page, type Route, test } from "@playwright/test";
import { expectNoAxeViolations, expectNoSidewaysScrolling } from "./browser.ts";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { createLink } from "./merchant.ts";
import { aMember, callAs, dashboard, fillIn, untilAlive } from "./people.ts";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const story = (page: Page) => page.getByRole("list", { name: "What happened" });
const preview = (page: Page) => page.locator('iframe:not([aria-hidden="true"])').contentFrame();

async function openForm(page: Page, query = ""): Promise<void> {
  await page.goto(dashboard(`/test/links/new${query}`));
  await untilAlive(page);
}

async function create(page: Page, fields: Record<string, string>): Promise<string> {
  await openForm(page);
  await fillIn(page, fields);
  await button(page, "Create link").click();
  return referenceOf(page);
}

/** Waits for the page of the new link. */
async function referenceOf(page: Page): Promise<string> {
  await page.waitForURL(/\/links\/[0-9A-Z]{20,}$/);
  return page.url().split("/").at(-1) ?? "";
}

/** Returns the links of the person's test mode, newest first. */
async function linksOf(page: Page): Promise<{ reference: string; status: string; replaces: string | null }[]> {
  return (await callAs(page, "GET", "/api/v1/checkout")).data;
}

/** Lets requests reach the server, and loses their answers. */
async function loseAnswers(page: Page): Promise<() => Promise<void>> {
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
  };
  await page.route("**/checkout/create", lose);
  return () => page.unroute("**/checkout/create", lose);
}

test("a newcomer creates a link by clicking, pays it as the customer, and the page and the list show it paid", async ({ page }) => {
  await aMember(page);
  await page.getByRole("link", { name: "Payment links" }).first().click();
  await expect(page.getByText("/api/v1/checkout/create")).toBeVisible();
  await page.getByRole("link", { name: "Create link" }).click();
  await untilAlive(page);
  await fillIn(page, { Amount: "₦5,000.50", "Description (optional)": "Two bags of rice", "Customer's name (optional)": "Ngozi Eze" });
  await expect(preview(page).getByRole("heading", { name: "Pay ₦5,000.50" })).toBeVisible();
  await expect(preview(page).getByText("Two bags of rice")).toBeVisible();
  await button(page, "Create link").click();
  const reference = await referenceOf(page);
  await expect(heading(page)).toHaveText("Two bags of rice");
  await expect(page.getByText("Waiting", { exact: true })).toBeVisible();
  await button(page, "Pay too little").click();
  await expect(story(page)).toContainText("₦4,900.50 came from Test Payer, but ₦5,000.50 was due");
  await expect(story(page)).toContainText(/It (goes|went) back to the account that sent it/);
  await button(page, "Pay exactly").click();
  await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible();
  await expect(story(page)).toContainText("Your wallet received the money");
  await expect(button(page, "Pay exactly")).toHaveCount(0);
  await page.goBack();
  await expect(heading(page)).toHaveText("Payment links");
  await page.reload();
  const row = page.getByRole("row").filter({ has: page.locator(`[title="${reference}"]`) });
  await expect(row).toContainText("Paid");
  await expect(page.locator("header").filter({ hasText: "Paid in 30 days" })).toContainText("₦5,000.50");
});

test("an open page of a link shows a payment that is made elsewhere", async ({ page }) => {
  await aMember(page);
  const reference = await create(page, { Amount: "5000" });
  await callAs(page, "POST", `/api/v1/test/checkout/${reference}/transfer`, {});
  await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible();
});

test("a double click creates one link", async ({ page }) => {
  await aMember(page);
  await openForm(page);
  await fillIn(page, { Amount: "5000" });
  await button(page, "Create link").dblclick();
  await referenceOf(page);
  expect(await linksOf(page)).toHaveLength(1);
});

test("after a lost answer the same click again finds the link that was made", async ({ page }) => {
  await aMember(page);
  await openForm(page);
  await fillIn(page, { Amount: "5,000" });
  const deliver = await loseAnswers(page);
  await button(page, "Create link").click();
  await expect(page.getByRole("alert").filter({ hasText: "never done twice" })).toBeFocused();
  await deliver();
  await button(page, "Create link").click();
  const reference = await referenceOf(page);
  expect((await linksOf(page)).map((link) => link.reference)).toEqual([reference]);
});

test("a reload after a lost answer keeps what was typed, says so, and leads to one link", async ({ page }) => {
  await aMember(page);
  await openForm(page);
  await fillIn(page, { Amount: "₦ 7,500", "Description (optional)": "Jollof for two" });
  const deliver = await loseAnswers(page);
  await button(page, "Create link").click();
  await expect(page.getByRole("alert").filter({ hasText: "never done twice" })).toBeVisible();
  await deliver();
  await page.reload();
  await expect(page.getByText("You sent this before, and the answer was lost")).toBeVisible();
  await expect(page.getByLabel("Amount")).toHaveValue("7500");
  await button(page, "Create link").click();
  await referenceOf(page);
  await expect(heading(page)).toHaveText("Jollof for two");
  expect(await linksOf(page)).toHaveLength(1);
});

test("the amount takes what people paste, and refuses the rest before anything is sent", async ({ page }) => {
  await aMember(page);
  await openForm(page);
  const amount = page.getByLabel("Amount");
  const isValid = () => amount.evaluate((input: HTMLInputElement) => input.checkValidity());
  for (const text of ["5k", "99.99", "10,000,001", "1.234", ""]) {
    await amount.fill(text);
    expect(await isValid(), text).toBe(false);
  }
  for (const text of ["100", "₦10,000,000.00", "NGN 5 000", "5000.5"]) {
    await amount.fill(text);
    expect(await isValid(), text).toBe(true);
  }
  await amount.fill("5k");
  await button(page, "Create link").click();
  await expect(amount).toBeFocused();
  expect(await linksOf(page)).toEqual([]);
});

test("markup, RTL and emoji in a description stay text, in the preview and on the link's page", async ({ page }) => {
  const alerts: string[] = [];
  page.on("dialog", (dialog) => alerts.push(dialog.message()));
  await page.setViewportSize({ width: 360, height: 760 });
  await aMember(page);
  const description = `<img src=x onerror=alert(1)><script>alert(1)</script>\u202e طعام ${"👩🏾‍🌾".repeat(12)}`;
  await openForm(page);
  await button(page, "Preview what your customer sees").click();
  await fillIn(page, { Amount: "5000", "Description (optional)": description });
  await expect(preview(page).getByText("<script>alert(1)</script>")).toBeVisible();
  await button(page, "Create link").click();
  await referenceOf(page);
  await expect(heading(page)).toContainText("<script>alert(1)</script>");
  await expectNoSidewaysScrolling(page);
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "Payment links" }).first().click();
  await expect(page.getByRole("row").filter({ hasText: "<script>" })).toBeVisible();
  expect(alerts).toEqual([]);
});

test("an expired link is replaced once by \u201cagain\u201d, and the page of the old one leads to the new one", async ({ page }) => {
  await aMember(page);
  const old = await create(page, { Amount: "6,000", "Description (optional)": "Cake", "Customer's email (optional)": "eze@shop.example" });
  await button(page, "End the time").click();
  await page.getByRole("link", { name: "Again with the same details" }).click();
  await untilAlive(page);
  await expect(page.getByLabel("Amount")).toHaveValue("6,000");
  await expect(page.getByLabel("Customer's email")).toHaveValue("eze@shop.example");
  const other = await page.context().newPage();
  await openForm(other, `?again=${old}`);
  await button(page, "Create link").click();
  await page.waitForURL((url) => !url.pathname.endsWith("/new"));
  const made = await referenceOf(page);
  await button(other, "Create link").click();
  await expect(other.getByRole("alert").filter({ hasText: "replaced already" })).toBeVisible();
  expect((await linksOf(page)).map(({ reference, replaces }) => [reference, replaces])).toEqual([
    [made, old],
    [old, null],
  ]);
  await openForm(other, `?again=${old}`);
  await other.getByRole("link", { name: "Open the new link" }).click();
  await expect(other).toHaveURL(dashboard(`/test/links/${made}`));
});

test("after the earlier link of an order was paid in time, the new one says so and cannot be made again", async ({ page, browser }) => {
  await aMember(page);
  const old = await create(page, { Amount: "6,000", "Description (optional)": "Cake" });
  const inTime = new Date().toISOString();
  await button(page, "End the time").click();
  await page.getByRole("link", { name: "Again with the same details" }).click();
  await untilAlive(page);
  await button(page, "Create link").click();
  await page.waitForURL((url) => !url.pathname.endsWith("/new"));
  const made = await referenceOf(page);
  await callAs(page, "POST", `/api/v1/test/checkout/${old}/transfer`, { made_at: inTime });
  await page.goto(dashboard(`/test/links/${made}`));
  await expect(page.getByText("Another link of the same order is paid.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Again with the same details" })).toHaveCount(0);
  await openForm(page, `?again=${made}`);
  await expect(page.getByText("This order is paid already.")).toBeVisible();
  await expect(button(page, "Create link")).toHaveCount(0);
  await expectToFit(browser, page, [`/test/links/${made}`, `/test/links/new?again=${made}`], "order paid ");
  await page.getByRole("link", { name: "Open the paid link" }).click();
  await expect(page).toHaveURL(dashboard(`/test/links/${old}`));
  await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible();
});

test("a reference of another business, and an unknown one, is not found, within the frame of the dashboard", async ({ page }) => {
  await aMember(page);
  const { reference } = await createLink();
  for (const path of [`/test/links/${reference}`, `/test/links/${reference}/qr`, "/test/links/x", `/test/links/new?again=${reference}`]) {
    const answer = await page.goto(dashboard(path));
    expect(answer?.status(), path).toBe(404);
    await expect(heading(page)).toHaveText("There is nothing here");
    await expect(page.getByRole("navigation", { name: "Main", exact: true })).toBeVisible();
  }
});

test("the preview asks for a session, and no page of another host may frame it", async ({ page, browser }) => {
  await aMember(page);
  const path = "/test/links/new/preview?amount=5000";
  const answer = await page.request.get(dashboard(path));
  expect(answer.headers()["content-security-policy"]).toMatch(/frame-ancestors 'self'$/);
  expect(await answer.text()).not.toContain("<script");
  const stranger = await (await browser.newContext()).request.get(dashboard(path), { maxRedirects: 0 });
  expect(stranger.status()).toBe(307);
  expect(stranger.headers().location).toContain("/sign-in");
});

const LONG = "Generator parts, and everything else that the workshop in Onitsha asked for in March";

test("the list and the form fit a phone and a desktop, in both themes and with large text, and axe finds nothing", async ({
  browser,
  page,
}) => {
  await aMember(page);
  await create(page, { Amount: "9,999,999.99", "Description (optional)": LONG });
  await expectToFit(browser, page, ["/test/links", "/test/links/new", "/live/links", "/test/links/x", "/test/links?from=27/11/2026"]);
});

test("the pages of a link fit a phone and a desktop, in both themes and with large text, and axe finds nothing", async ({
  browser,
  page,
}) => {
  await aMember(page);
  const waiting = await create(page, { Amount: "9,999,999.99", "Description (optional)": LONG });
  const paid = await create(page, { Amount: "5000" });
  await button(page, "Pay exactly").click();
  await expect(story(page)).toContainText("Your wallet received the money");
  await expectToFit(browser, page, [`/test/links/${waiting}`, `/test/links/${paid}`, `/test/links/${waiting}/qr`]);
});

/** Opens pages in every look as the person who is signed in in `page`. */
async function expectToFit(browser: Browser, page: Page, paths: string[], title = ""): Promise<void> {
  const { cookies } = await page.context().storageState();
  await inEveryWidth(browser, async (view, width) => {
    await view.context().addCookies(cookies);
    for (const path of paths) {
      await view.goto(dashboard(path), { waitUntil: "networkidle" });
      await expectGoodLook(view, `${title}${path.replace(/[A-Z0-9]{33}/, `link ${paths.indexOf(path)}`)} ${width}`);
    }
  });
}
