import { type Browser, expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { aMember, callAs, dashboard, enter, untilAlive } from "./people.ts";

const region = (page: Page, name: string | RegExp) => page.getByRole("region", { name });
const received = (page: Page) => region(page, "Payments received");
const row = (page: Page, table: string, text: string) =>
  page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: text });

async function aLink(page: Page, description: string, amount = 5_000): Promise<string> {
  const { reference } = await callAs(page, "POST", "/api/v1/checkout/create", { amount, description });
  return reference;
}

/** Pays a link as the sandbox bank: exactly, unless told otherwise. */
const pay = (page: Page, reference: string, transfer: object = {}) =>
  callAs(page, "POST", `/api/v1/test/checkout/${reference}/transfer`, transfer);

/** Buys airtime, as soon as the products are there. A refused purchase charges nothing. */
const buyAirtime = (page: Page) =>
  expect(async () => {
    const { data } = await callAs(page, "POST", "/api/v1/vtu/airtime", { network: "mtn", phone: "08031234567", amount: 200 });
    expect(data).toBeDefined();
  }).toPass();

/** Makes payments and a purchase, and one transfer that goes back. */
async function aDayOfWork(page: Page): Promise<{ paid: string; missed: string }> {
  const paid = await aLink(page, "Two bags of rice");
  await pay(page, paid);
  await pay(page, await aLink(page, "A name that is so long that no row of any list can show it whole, for Onyekachi", 9_999_999.99));
  const missed = await aLink(page, "School fees");
  await pay(page, missed, { amount: 4_000, sender_name: "NGOZI EZE" });
  await buyAirtime(page);
  return { paid, missed };
}

const merchantOf = async (email: string): Promise<string> => {
  const [found] = await sql()<{ id: string }[]>`
    select m.id from users u join members b on b.user_id = u.id join merchants m on m.business_id = b.business_id
    where u.email = ${email} and m.mode = 'test'`;
  return found?.id ?? "";
};

test("a newcomer sees first steps that are marked as done by themselves, and a payment appears without a reload", async ({ page }) => {
  await aMember(page);
  await expect(region(page, "First steps (0 of 9)")).toBeVisible();
  await expect(page.getByText("Available")).toHaveCount(0);
  await untilAlive(page);
  const reference = await aLink(page, "Two bags of rice");
  await pay(page, reference);
  await expect(received(page).getByText("₦5,000.00").first()).toBeVisible();
  await expect(row(page, "Latest", "Two bags of rice")).toContainText("Paid");
  const steps = region(page, "First steps (2 of 9)");
  await expect(steps.getByRole("list", { name: "Done" })).toHaveText("Create a payment linkReceive a payment");
  await steps.getByRole("button", { name: "Put away" }).click();
  await expect(region(page, /^First steps/)).toHaveCount(0);
  await page.reload();
  await expect(received(page)).toBeVisible();
  await expect(region(page, /^First steps/)).toHaveCount(0);
});

test("steps that were put away come back by Undo", async ({ page }) => {
  await aMember(page);
  await untilAlive(page);
  await page.getByRole("button", { name: "Put away" }).click();
  await expect(region(page, /^First steps/)).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(region(page, "First steps (0 of 9)")).toBeVisible();
});

test("home lists what needs attention, and each sentence leads to the thing that it is about", async ({ page }) => {
  const email = await aMember(page);
  const { missed } = await aDayOfWork(page);
  await sql()`insert into alerts (merchant_id, id, type, message, resource_id)
    values (${await merchantOf(email)}, ${newId("alert")}, 'card.blocked', 'Our people look into it.', 'card_1')`;
  await page.reload();
  const needs = region(page, "Needs you (2)");
  const item = needs.getByRole("listitem").filter({ hasText: "₦4,000.00 came for" });
  await expect(item).toContainText("₦5,000.00 was due");
  await expect(item.getByRole("link")).toHaveAttribute("href", `/test/links/${missed}`);
  await expect(needs.getByRole("listitem").filter({ hasText: "A card is blocked" }).getByRole("link")).toHaveAttribute(
    "href",
    "/test/cards/card_1",
  );
  // The page has shown the alert, so the flag goes.
  await expect(page.getByRole("link", { name: /need you$/ })).toHaveCount(0);
});

test("the chart says its values by arrow keys and by pointer, and the table has the same", async ({ page }) => {
  await aMember(page);
  await aDayOfWork(page);
  await page.reload();
  await untilAlive(page);
  const chart = page.getByRole("slider", { name: "Payments by day" });
  await chart.focus();
  await expect(chart).toHaveAttribute("aria-valuetext", "Today: ₦10,004,999.99 · 2 payments");
  await page.keyboard.press("ArrowLeft");
  await expect(chart).toHaveAttribute("aria-valuetext", /: ₦0\.00 · 0 payments$/);
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuenow", "0");
  await page.keyboard.press("End");
  await expect(chart).toHaveAttribute("aria-valuenow", "29");
  await chart.hover({ position: { x: 2, y: 20 } });
  await expect(chart).toHaveAttribute("aria-valuenow", "0");
  await page.getByText("Show the days as a table").click();
  await expect(page.getByRole("table", { name: "Payments by day" }).getByRole("row").nth(1)).toContainText("₦10,004,999.99");
});

const AT_ONCE = { timeout: 1 };

/** Reloads the home page until it shows a changed membership, because a process caches memberships for a second. */
const untilTakenUp = (page: Page, shows: () => Promise<void>) =>
  expect(async () => {
    await page.goto(dashboard("/test"));
    await expect(region(page, "Latest").getByRole("table")).toBeVisible();
    await shows();
  }).toPass();

/** Returns the kobo of an amount as a page writes it. */
const koboIn = (text: string): number => Math.round(Number(text.replaceAll("\u2212", "-").replaceAll(/[^\d.-]/g, "")) * 100);

test("the wallet's running balance is right, and each row leads to its thing", async ({ page }) => {
  await aMember(page);
  const { paid } = await aDayOfWork(page);
  await page.goto(dashboard("/test/wallet"));
  const history = page.getByRole("table", { name: "Wallet history" });
  await expect(history.getByRole("row").filter({ hasText: "Airtime bought" })).toHaveCount(1);
  const cells = await history.locator("tbody tr").evaluateAll((rows) =>
    rows.map((one) => ({
      amount: one.querySelector(".figure")?.textContent ?? "",
      balance: one.querySelector(".state")?.textContent ?? "",
      href: one.querySelector("a")?.getAttribute("href"),
    })),
  );
  expect(cells).toHaveLength(3);
  for (const [at, { amount, balance }] of cells.entries()) {
    expect(koboIn(balance)).toBe(koboIn(amount) + koboIn(cells[at + 1]?.balance ?? "0"));
  }
  expect(cells.map(({ href }) => href?.replace(/vtu_\w+$|[0-9A-Z]{26,33}$/, "…"))).toEqual([
    "/test/top-ups/…",
    "/test/links/…",
    "/test/links/…",
  ]);
  expect(cells.at(-1)?.href).toBe(`/test/links/${paid}`);
  await page.getByRole("combobox", { name: "In and out" }).selectOption("Money out");
  await expect(history.locator("tbody tr")).toHaveCount(1);
  await expect(page.getByRole("link", { name: "Add money" })).toHaveAttribute("href", "/test/links/new?description=Add+money");
});

test("a month's statement adds up to the wallet's balance, and is printed without the navigation", async ({ page }) => {
  await aMember(page);
  await aDayOfWork(page);
  await page.goto(dashboard("/test/wallet"));
  await expect(row(page, "Wallet history", "Airtime bought")).toHaveCount(1);
  await page.getByRole("link", { name: "Statement" }).click();
  const figure = async (label: string) =>
    koboIn((await page.getByText(label, { exact: true }).locator("xpath=following-sibling::p[1]").textContent()) ?? "");
  await expect(page.getByRole("table", { name: "Entries" }).locator("tbody tr")).toHaveCount(3);
  const closing = await figure("Balance so far");
  expect(closing).toBe(1_000_499_999 - 20_000);
  expect(closing).toBe((await figure("Opening balance")) + (await figure("Money in")) - (await figure("Money out")));
  const kinds = await page.getByRole("table", { name: "Sums by kind" }).locator("tbody .figure").allTextContents();
  expect(kinds.reduce((sum, text) => sum + koboIn(text), 0)).toBe(closing);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
  await expect(page.getByText("Balance so far")).toBeVisible();
});

test("a viewer and a suspended business see everything and are offered nothing that they may not do", async ({ page }) => {
  const email = await aMember(page);
  await aDayOfWork(page);
  const merchantId = await merchantOf(email);
  const expectNoActions = async () => {
    await untilTakenUp(page, () =>
      expect(page.getByRole("main").getByRole("link", { name: /Create link|Buy airtime/ })).toHaveCount(0, AT_ONCE),
    );
    await expect(received(page)).toBeVisible();
    await page.goto(dashboard("/test/wallet"));
    await expect(page.getByRole("table", { name: "Wallet history" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Add money" })).toHaveCount(0);
  };
  await sql()`update members set role = 'viewer' where user_id = (select id from users where email = ${email})`;
  await expectNoActions();
  await sql()`update members set role = 'owner' where user_id = (select id from users where email = ${email})`;
  await sql()`update merchants set status = 'suspended' where id = ${merchantId}`;
  await untilTakenUp(page, () => expect(page.getByText("Your business is suspended")).toBeVisible(AT_ONCE));
  await expectNoActions();
});

test("home leaves out the areas that are off", async ({ page }) => {
  const email = await aMember(page);
  await aDayOfWork(page);
  await sql()`delete from merchant_areas where merchant_id = ${await merchantOf(email)} and area = 'checkout'`;
  await untilTakenUp(page, () => expect(received(page)).toHaveCount(0, AT_ONCE));
  await expect(region(page, "Needs you")).toContainText("Nothing needs you.");
  await expect(row(page, "Latest", "Two bags of rice")).toHaveCount(0);
});

/** Opens pages in every look. Fails for console messages, content that does not fit, and what axe finds. */
async function expectGoodPages(browser: Browser, email: string, name: string, paths: string[]): Promise<void> {
  await inEveryWidth(browser, async (page, width) => {
    await enter(page, email);
    for (const path of paths) {
      await page.goto(dashboard(path), { waitUntil: "networkidle" });
      await expectGoodLook(page, `${name} ${path} ${width}`);
    }
  });
}

test("home, wallet and statement fit every look with large text, and axe finds nothing", async ({ browser, page }) => {
  const email = await aMember(page);
  await aDayOfWork(page);
  await expectGoodPages(browser, email, "full", ["/test", "/test/wallet", "/test/wallet/statement", "/live", "/live/wallet"]);
});

test("a newcomer's home, wallet and statement fit every look, and axe finds nothing", async ({ browser, page }) => {
  await expectGoodPages(browser, await aMember(page), "new", ["/test", "/test/wallet", "/test/wallet/statement"]);
});
