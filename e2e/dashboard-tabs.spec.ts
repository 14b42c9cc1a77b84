import { expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { createLink } from "./merchant.ts";
import { aMember, callAs, dashboard, fillIn, openSearch, signIn, signOut, untilAlive } from "./people.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function openForm(page: Page, path = "/test/links/new"): Promise<void> {
  await page.goto(dashboard(path));
  await untilAlive(page);
}

const created = (page: Page) => page.waitForURL(/\/links\/[0-9A-Z]{20,}$/);
const referencesOf = async (page: Page): Promise<string[]> =>
  (await callAs(page, "GET", "/api/v1/checkout")).data.map(({ reference }: { reference: string }) => reference);

test("a form that was filled in when the session ended is sent after signing in in another tab", async ({ page, context }) => {
  const email = await aMember(page);
  await openForm(page);
  await fillIn(page, { Amount: "5000", "Description (optional)": "Two bags of rice" });
  const other = await context.newPage();
  await other.goto(dashboard("/test"));
  await signOut(other);
  await button(page, "Create link").click();
  await expect(page.getByRole("alert").filter({ hasText: "Your session has ended" })).toBeFocused();
  await signIn(other, email);
  await other.waitForURL(dashboard("/test"));
  await button(page, "Create link").click();
  await created(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Two bags of rice");
  expect(await referencesOf(page)).toHaveLength(1);
});

test("a page that is left open says that the session has ended, and stops saying it after signing in again", async ({ page, context }) => {
  const email = await aMember(page);
  await openForm(page);
  const other = await context.newPage();
  await other.goto(dashboard("/test"));
  await signOut(other);
  await page.bringToFront();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(page.getByText("You are signed out.", { exact: true })).toBeVisible();
  await signIn(other, email);
  await other.waitForURL(dashboard("/test"));
  await page.bringToFront();
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(page.getByText("You are signed out.", { exact: true })).toHaveCount(0);
});

test("two tabs of two modes each write to their own", async ({ page, context }) => {
  await aMember(page);
  const live = await context.newPage();
  await live.goto(dashboard("/live/links"));
  await openForm(page);
  await live.reload();
  await fillIn(page, { Amount: "5000" });
  await button(page, "Create link").click();
  await created(page);
  const rows = await sql()<{ mode: string }[]>`
    select m.mode from payment_links l join merchants m on m.id = l.merchant_id where l.reference = ${page.url().split("/").at(-1) ?? ""}`;
  expect(rows.map(({ mode }) => mode)).toEqual(["test"]);
  await live.reload();
  await expect(live.getByText("just now")).toHaveCount(0);
});

test("two tabs of two businesses each write to their own", async ({ page, context }) => {
  const email = await aMember(page, "First Shop");
  const second = await context.browser()?.newPage();
  if (!second) throw new Error("no browser");
  const owner = await aMember(second, "Second Shop");
  // An invitation has no page yet.
  await sql()`
    insert into members (business_id, user_id, role)
    select m.business_id, u.id, 'admin' from users u, users o join members m on m.user_id = o.id where u.email = ${email} and o.email = ${owner}`;
  const businesses = await sql()<{ id: string; name: string }[]>`
    select b.id, b.name from businesses b join members m on m.business_id = b.id join users u on u.id = m.user_id
    where u.email = ${email} order by b.name`;
  const tabs = await Promise.all(businesses.map(async ({ name }, at) => ({ name, tab: at === 0 ? page : await context.newPage() })));
  for (const [at, { tab }] of tabs.entries()) await openForm(tab, `/b/${businesses[at]?.id}/test/links/new`);
  for (const { tab, name } of tabs) {
    await fillIn(tab, { Amount: "5000", "Description (optional)": name });
    await button(tab, "Create link").click();
  }
  for (const { tab } of tabs) await created(tab);
  const rows = await sql()<{ description: string; name: string }[]>`
    select l.description, b.name from payment_links l join merchants m on m.id = l.merchant_id join businesses b on b.id = m.business_id
    where b.id in ${sql()(businesses.map(({ id }) => id))} order by b.name`;
  expect(rows.map(({ description, name }) => [description, name])).toEqual([
    ["First Shop", "First Shop"],
    ["Second Shop", "Second Shop"],
  ]);
});

test("the search opens by the keyboard, finds what a customer quotes, and Enter opens it", async ({ page }) => {
  await aMember(page);
  await openForm(page);
  await fillIn(page, { Amount: "5000", "Customer's email (optional)": "ngozi@customer.example" });
  await button(page, "Create link").click();
  await created(page);
  const reference = page.url().split("/").at(-1) ?? "";
  await page.goto(dashboard("/test/transactions"));
  await untilAlive(page);
  const field = await openSearch(page);
  await page.keyboard.type("NGOZI@customer.example");
  await expect(page.getByRole("option")).toHaveCount(1);
  await expect(page.getByRole("option")).toContainText("₦5,000.00");
  await page.keyboard.press("Enter");
  await page.waitForURL(dashboard(`/test/links/${reference}`));
  await untilAlive(page);
  await openSearch(page, "/");
  await page.keyboard.type((await createLink()).reference);
  await expect(page.getByText("Nothing has this exact reference", { exact: false })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await page.waitForURL(dashboard("/test/links"));
});

test("filters and pages stand in the address, and go back with the browser", async ({ page }) => {
  await aMember(page);
  await openForm(page);
  await fillIn(page, { Amount: "5000" });
  await button(page, "Create link").click();
  await created(page);
  await page.goto(dashboard("/test/transactions"));
  await untilAlive(page);
  await page.getByRole("combobox", { name: "Any state" }).selectOption("Failed or declined");
  await page.waitForURL(dashboard("/test/transactions?state=failed"));
  await expect(page.getByText("No transactions match these filters.")).toBeVisible();
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await page.waitForURL(dashboard("/test/transactions"));
  await expect(page.getByRole("row").filter({ hasText: "₦5,000.00" })).toHaveCount(1);
  await page.goBack();
  await page.waitForURL(dashboard("/test/transactions?state=failed"));
});
