import { expect, type Page } from "@playwright/test";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { addToWallet, merchantOf } from "./cards.ts";
import { aMember, callAs, dashboard, ownIdsOf, untilAlive } from "./people.ts";

/** Signs a member up whose wallet has money. Returns the merchant's id. */
export async function aPayer(page: Page, { wallet = 412_900, business = "Ada's Kitchen" } = {}): Promise<string> {
  const merchantId = await merchantOf(await aMember(page, business));
  await addToWallet(merchantId, naira(wallet));
  return merchantId;
}

/** Adds a bank account with this number by its endpoints. Returns its id. */
export async function addAccount(page: Page, number: string, bank = "00A"): Promise<string> {
  const account = { bank_code: bank, account_number: number };
  const { data } = await callAs(page, "POST", "/api/dashboard/bank-accounts/name", account);
  const added = await callAs(page, "POST", "/api/dashboard/bank-accounts", { ...account, account_name: data.account_name });
  return added.data.id;
}

/** Sends Naira to an account by the endpoint of the dashboard. */
export async function sendMoney(page: Page, accountId: string, amount: number): Promise<void> {
  const { merchantId } = await ownIdsOf(page);
  const answer = await page.request.post(dashboard("/api/dashboard/payouts"), {
    data: { bank_account_id: accountId, amount, expected_total: amount, narration: "Takings of the forty-seventh week of this year" },
    headers: {
      ...{ "Oja-Merchant": merchantId, "Idempotency-Key": `${accountId}-${amount}` },
      ...{ Origin: new URL(dashboard()).origin, "Sec-Fetch-Site": "same-origin" },
    },
  });
  expect(answer.ok()).toBe(true);
}

export async function openWallet(page: Page, path = ""): Promise<void> {
  await page.goto(dashboard(`/test/wallet${path}`));
  await untilAlive(page);
}

interface PayoutInDatabase {
  id: string;
  status: string;
  amount: bigint;
}

/** Returns the payouts of a merchant, oldest first. */
export const payoutsOf = async (merchantId: string): Promise<PayoutInDatabase[]> =>
  sql()<PayoutInDatabase[]>`select id, status, amount from payouts where merchant_id = ${merchantId} order by id`;
