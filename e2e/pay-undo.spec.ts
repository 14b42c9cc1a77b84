import { expect, type Page, test } from "@playwright/test";
import { heading, openLink } from "./browser.ts";
import { api } from "./merchant.ts";

const sent = (page: Page) => page.getByRole("button", { name: "I’ve sent the money" });
const comeBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

const told = (page: Page, kind: string) =>
  page.waitForResponse(
    (response) =>
      response.url().endsWith("/activity") && response.ok() && response.request().postData()?.includes(`kind=${kind}&`) === true,
  );

/** Says that the money is sent, and waits until the server knows. */
async function saySent(page: Page): Promise<void> {
  const known = told(page, "sent");
  await sent(page).click();
  await known;
  await expect(heading(page)).toHaveText("Checking for your transfer");
}

async function pressNotSent(page: Page): Promise<void> {
  await page.getByText("I have not sent it yet").click();
  await expect(page.getByText("Did your bank’s app say that the transfer was successful?")).toBeVisible();
  await page.getByRole("button", { name: "No, it did not" }).click();
}

/** Undoes "sent", and waits until the server knows. */
async function sayNotSent(page: Page): Promise<void> {
  const known = told(page, "unsent");
  await pressNotSent(page);
  await known;
}

test("after 'sent' the page hides the account and its copy buttons, and shows them again on request", async ({ page }) => {
  await openLink(page);
  await saySent(page);
  await expect(page.getByRole("button", { name: /^Copy/ })).toHaveCount(0);
  await expect(page.locator("#pay")).toBeHidden();
  await page.getByText("Show account number again").click();
  await expect(page.getByRole("button", { name: "Copy Account number" })).toBeVisible();
});

test("'I have not sent it yet' shows the payment again, also after a reload and in every tab, and 'sent' can be said again", async ({
  page,
  context,
}) => {
  const link = await openLink(page);
  const other = await context.newPage();
  await other.goto(link.payment_link);
  await saySent(page);
  await comeBack(other);
  await expect(heading(other)).toHaveText("Checking for your transfer");
  await sayNotSent(page);
  await expect(heading(page)).toHaveText("Pay ₦5,000.00");
  await expect(page.locator("#pay")).toBeFocused();
  await page.reload();
  await expect(heading(page)).toHaveText("Pay ₦5,000.00");
  await comeBack(other);
  await expect(heading(other)).toHaveText("Pay ₦5,000.00");
  await saySent(page);
  await page.reload();
  await expect(heading(page)).toHaveText("Checking for your transfer");
});

test("'sent' that was said without a network and taken back is never sent later, and a copy of it that arrives late changes nothing", async ({
  page,
}) => {
  const link = await openLink(page);
  const path = `**/pay/${link.reference}/activity`;
  const lost: string[] = [];
  await page.route(path, (route) => {
    lost.push(route.request().postData() ?? "");
    return route.abort();
  });
  await sent(page).click();
  await expect.poll(() => lost.length).toBeGreaterThan(0);
  await pressNotSent(page);
  await expect.poll(() => lost.some((body) => body.includes("kind=unsent"))).toBe(true);
  await page.unroute(path);
  const saidLater: string[] = [];
  page.on("request", (request) => request.url().endsWith("/activity") && saidLater.push(request.postData() ?? ""));
  const known = told(page, "unsent");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await known;
  expect(saidLater.filter((body) => body.includes("kind=sent"))).toEqual([]);
  // The first message was delayed on the network, and arrives now.
  const late = await fetch(`${link.payment_link}/activity`, { method: "POST", body: new URLSearchParams(lost[0] ?? "") });
  expect(late.status).toBe(409);
  await page.reload();
  await expect(heading(page)).toHaveText("Pay ₦5,000.00");
});

test("'I have not sent it yet' does nothing once a transfer has come", async ({ page }) => {
  const link = await openLink(page);
  await saySent(page);
  // The page hears nothing of the transfer.
  await page.route(`**/pay/${link.reference}/status`, (route) => route.abort());
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await sayNotSent(page);
  await page.unroute(`**/pay/${link.reference}/status`);
  await comeBack(page);
  await expect(heading(page)).toHaveText(/has received your ₦5,000\.00/);
  const { data } = await api(`/checkout/timeline?reference=${link.reference}`);
  expect(data.map(({ type }: { type: string }) => type)).not.toContain("unsent");
});

test("a page that has said 'sent' still shows what another tab says later", async ({ page, context }) => {
  const link = await openLink(page);
  const other = await context.newPage();
  await other.goto(link.payment_link);
  await saySent(page);
  await comeBack(other);
  await expect(heading(other)).toHaveText("Checking for your transfer");
  await sayNotSent(other);
  await expect(heading(page)).toHaveText("Pay ₦5,000.00");
});

test("a 'sent' that was said without a network is sent by the next page of the link, after this page was left", async ({ page }) => {
  const link = await openLink(page);
  await page.route(`**/pay/${link.reference}/activity`, (route) => route.abort());
  await sent(page).click();
  await expect(heading(page)).toHaveText("Checking for your transfer");
  await page.goto("about:blank");
  await page.unroute(`**/pay/${link.reference}/activity`);
  const known = told(page, "sent");
  await page.goto(link.payment_link);
  await expect(heading(page)).toHaveText("Checking for your transfer");
  await known;
  await page.reload();
  await expect(heading(page)).toHaveText("Checking for your transfer");
});

test("a press of 'sent' counts on a page that has missed the messages of another page", async ({ page, context }) => {
  const link = await openLink(page);
  const other = await context.newPage();
  await other.goto(link.payment_link);
  // This page hears nothing while the other one says something three times.
  await page.route(`**/pay/${link.reference}/status`, (route) => route.abort());
  await saySent(other);
  await sayNotSent(other);
  await saySent(other);
  await sayNotSent(other);
  await expect(heading(other)).toHaveText("Pay ₦5,000.00");
  await saySent(page);
  await page.reload();
  await expect(heading(page)).toHaveText("Checking for your transfer");
});

test("'Check status' after a wrong amount does not say that no transfer has been seen", async ({ page }) => {
  const link = await openLink(page);
  await api(`/test/checkout/${link.reference}/transfer`, { amount: 4_000 });
  await expect(page.getByRole("heading", { name: /₦4,000\.00 came/ })).toBeVisible();
  await saySent(page);
  await page.getByRole("button", { name: "Check status" }).click();
  await expect(page.locator("#age")).toHaveText("Nothing new has come yet.");
});
