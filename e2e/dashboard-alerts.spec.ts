import { expect, type Page, test } from "@playwright/test";
import { aMember, dashboard, fillIn, untilAlive } from "./people.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function open(page: Page, path: string): Promise<void> {
  await page.goto(dashboard(path));
  await untilAlive(page);
}

test("home alerts to a balance below the limit, and a page that was open is told who changed the limit", async ({ page }) => {
  await aMember(page);
  await open(page, "/test/settings/alerts");
  const second = await page.context().newPage();
  await open(second, "/test/settings/alerts");
  await button(page, "Set a limit").click();
  await fillIn(page, { "Less than, in Naira (optional)": "₦50,000" });
  await button(page, "Save limit").click();
  await expect(page.getByText("Less than ₦50,000.00")).toBeVisible();
  await button(second, "Set a limit").click();
  await fillIn(second, { "Less than, in Naira (optional)": "20000" });
  await button(second, "Save limit").click();
  await expect(second.getByText(/Ada Obi changed this on/)).toBeVisible();
  await expect(async () => {
    await open(page, "/test");
    await expect(page.getByRole("link", { name: /Your balance is low/ })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByText("₦0.00 is left to spend, which is below the ₦50,000.00 that you asked to be alerted at.")).toBeVisible();
  await open(page, "/test/settings/alerts");
  await button(page, "Change limit").click();
  await page.getByLabel("Less than, in Naira (optional)").fill("");
  await button(page, "Save limit").click();
  await expect(page.getByText("No limit set", { exact: true })).toBeVisible();
});

test("a member chooses mails by keyboard, the choice is kept, and the team's list shows it", async ({ page }) => {
  await aMember(page);
  await open(page, "/test/settings/alerts");
  await button(page, "Change emails").focus();
  await page.keyboard.press("Enter");
  const payments = page.getByRole("dialog").getByLabel("Payments");
  await expect(payments).toHaveValue("never");
  await payments.focus();
  await page.keyboard.press("ArrowUp");
  await expect(payments).toHaveValue("daily");
  await button(page, "Save choice").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Emails changed")).toBeVisible();
  const team = page.getByRole("region", { name: "Who gets emails" });
  await expect(team.getByText(/Once a day: payments\./)).toBeVisible();
  await page.reload();
  await untilAlive(page);
  await expect(page.getByRole("region", { name: "Emails to you" }).getByText("Once a day, at 07:00 in Lagos")).toBeVisible();
});
