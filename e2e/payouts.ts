import type { Page } from "@playwright/test";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { addToWallet, merchantOf } from "./cards.ts";
import { aMember, callAs, dashboard, untilAlive } from "./people.ts";

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
