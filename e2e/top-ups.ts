import { expect, type Page } from "@playwright/test";
import { sql } from "#db/client.ts";
import { until } from "#testing/until.ts";
import { aMember, callAs, dashboard, untilAlive } from "./people.ts";

/** Signs a person up whose wallet has money, once the list of products is there. */
export async function aBuyer(page: Page, naira = 100_000): Promise<string> {
  const email = await aMember(page);
  const link = await callAs(page, "POST", "/api/v1/checkout/create", { amount: naira });
  await callAs(page, "POST", `/api/v1/test/checkout/${link.reference}/transfer`, {});
  await until(async () => (await callAs(page, "GET", "/api/v1/wallet")).data.available === naira);
  await until(async () => {
    const [product] = await sql()`select 1 from products where provider = 'sandbox' and service = 'exam' limit 1`;
    return product !== undefined;
  });
  return email;
}

export async function openTopUp(page: Page, path = ""): Promise<void> {
  await page.goto(dashboard(`/test/top-ups${path}`));
  await untilAlive(page);
}

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });

/** The one button of a page of buying. */
export const buy = (page: Page) => page.getByRole("region", { name: "Summary" }).getByRole("button");

export async function fillAirtime(page: Page, phone: string, amount = "200"): Promise<void> {
  await page.getByLabel("Phone number").fill(phone);
  await page.getByLabel("Amount in Naira").fill(amount);
}

export async function choosePlan(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("radio", { name }).first().check();
}

/** Waits for the receipt. Returns its reference. */
export async function receiptOf(page: Page, state: string): Promise<string> {
  await page.waitForURL(/\/top-ups\/vtu_/);
  await expect(page.getByRole("article").getByText(state, { exact: true }).first()).toBeVisible({ timeout: 60_000 });
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

export const purchasesOf = async (page: Page): Promise<{ reference: string; status: string; amount: number; has_token?: boolean }[]> =>
  (await callAs(page, "GET", "/api/v1/vtu/transactions?limit=100")).data;
