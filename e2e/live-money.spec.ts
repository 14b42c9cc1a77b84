import { expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { findBrokenInvariants } from "#db/invariants.ts";
import { naira } from "#lib/money.ts";
import { lagosDay } from "#lib/time.ts";
import { findBankDay } from "#services/checkout/index.ts";
import { summariseAccounts } from "#services/checkout/statements/summarise-accounts.ts";
import { bindProvider } from "#services/merchants/index.ts";
import { anOperator, enableLiveAreas } from "#services/merchants/merchant.fixture.ts";
import { setPayoutLimits } from "#services/payouts/index.ts";
import { merchantOf } from "./cards.ts";
import { expectGoodLook, photograph } from "./looks.ts";
import { addPasskey, aPasskeyDevice } from "./passkeys.ts";
import { atPaystack } from "./paystack.ts";
import { aMember, dashboard, fillIn, linkMailedTo, ownIdsOf, untilAlive } from "./people.ts";

const ACCOUNT = "0123459917";
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const sheet = (page: Page) => page.getByRole("dialog");

/** Opens live mode of the member's business as an operator does: its areas, and Paystack as its bank. Returns the live merchant's id. */
async function openLiveMode(testMerchantId: string): Promise<string> {
  const [live] = await sql()<{ id: string }[]>`
    select l.id from merchants l join merchants t on t.business_id = l.business_id where t.id = ${testMerchantId} and l.mode = 'live'`;
  const id = live?.id ?? "";
  await bindProvider(anOperator, id, "bank", "paystack");
  // The tests of services/going-live check the bank.
  await enableLiveAreas(id, "checkout");
  // Else money of links waits for a day.
  await setPayoutLimits(anOperator, { id, mode: "live" }, { maxAmount: naira(1_000_000), maxADay: naira(1_000_000), delayMs: 0 });
  return id;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(dashboard(`/live${path}`));
  await untilAlive(page);
}

/** Lets a day pass after the end of a link, until its account was read at Paystack for the last time. Returns how today's accounts compare. */
async function comparedToday(reference: string) {
  await sql()`update payment_links set expires_at = now() - interval '25 h', created_at = now() - interval '26 h' where reference = ${reference}`;
  await sql()`update one_time_accounts set next_read_at = now() where account_reference = ${reference}`;
  const left = () => sql()`select from one_time_accounts where account_reference = ${reference} and next_read_at is not null`;
  await expect.poll(async () => (await left()).length, { timeout: 30_000 }).toBe(0);
  const today = lagosDay(new Date());
  await summariseAccounts("paystack", today);
  return findBankDay(anOperator, "paystack", today);
}

test("in live mode a customer pays a link, and the money goes on to the merchant's bank with a passkey", async ({ page, context }) => {
  await aPasskeyDevice(page);
  const email = await aMember(page, "Fola's Fabrics");
  const merchantId = await openLiveMode(await merchantOf(email));
  await addPasskey(page);
  const { userId } = await ownIdsOf(page);
  // The restriction after a first second step lasts for a day, as does the wait of a new account below.
  await sql()`update users set restricted_until = null where id = ${userId}`;

  await open(page, "/links/new");
  await fillIn(page, { Amount: "25000", "Description (optional)": "Six yards of ankara" });
  await button(page, "Create link").click();
  await page.waitForURL(/\/links\/(?!new)\w+/);
  const reference = page.url().split("/").at(-1) ?? "";
  const payer = await context.newPage();
  await payer.goto(`${process.env.BASE_URL}/pay/${reference}`);
  const [account] = await sql()<{ account_number: string }[]>`select account_number from payment_links where reference = ${reference}`;
  const number = account?.account_number ?? "";
  await atPaystack({ act: "pay", accountNumber: number, kobo: 2_500_000 });
  await expect(payer.getByRole("heading", { level: 1 })).toContainText("has received your ₦25,000.00", { timeout: 30_000 });
  await expect(page.getByText("Paid", { exact: true }).first()).toBeVisible();

  await atPaystack({ act: "name", accountNumber: ACCOUNT, name: "FOLAS FABRICS LTD" });
  await open(page, "/wallet/accounts");
  await button(page, "Add bank account").click();
  await sheet(page).getByLabel("Bank", { exact: true }).selectOption({ label: "Guaranty Trust Bank" });
  await sheet(page).getByLabel("Account number").fill(ACCOUNT);
  await expect(sheet(page).getByText("FOLAS FABRICS LTD")).toBeVisible();
  await sheet(page).getByRole("button", { name: "Add bank account" }).click();
  await expect(page.getByText("Guaranty Trust Bank ••9917")).toBeVisible();
  await photograph(page, "live-account-waits");
  await sql()`update bank_accounts set usable_at = now() where merchant_id = ${merchantId}`;

  await open(page, "/wallet");
  await button(page, "Send to bank").click();
  await sheet(page).getByLabel("Amount", { exact: true }).fill("20000");
  await expect(sheet(page).getByText("Stays in your wallet")).toBeVisible();
  await photograph(page, "live-send-money");
  await button(page, "Send ₦20,000.00").click();
  await sheet(page).getByRole("link", { name: "View payout" }).click();
  await page.waitForURL(/\/wallet\/payouts\/po_/);
  await expect(page.getByText("Processing", { exact: true })).toBeVisible();
  await photograph(page, "live-payout-processing");
  await atPaystack({ act: "finish", accountNumber: ACCOUNT, status: "success" });
  await expect(page.getByRole("list", { name: "What happened" }).getByText("The bank paid it")).toBeVisible();
  await photograph(page, "live-payout-paid");

  await open(page, "/wallet/statement");
  await expect(page.getByText("₦5,000.00").first()).toBeVisible();
  await photograph(page, "live-statement");
  expect(await comparedToday(reference)).toMatchObject({ source: "accounts", lines: 1, matched: 1 });
  expect(await findBrokenInvariants(sql(), { merchantId })).toEqual([]);

  // Opening the link of the mail changes nothing, because mail programs do that too.
  const link = await linkMailedTo(page, email);
  await page.context().clearCookies();
  await page.goto(link);
  await expectGoodLook(page, "not-our-account");
  await page.reload();
  await expect(page.getByText("Guaranty Trust Bank")).toBeVisible();
  await button(page, "Remove this bank account").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/removed/i);
  await photograph(page, "not-our-account-removed");
  const [added] = await sql()`select removed_at from bank_accounts where merchant_id = ${merchantId}`;
  expect(added?.removed_at).not.toBeNull();
});
