import { expect, type Page } from "@playwright/test";
import { db, sql } from "#db/client.ts";
import { type Money, naira } from "#lib/money.ts";
import { decidedByTwo } from "#services/approved.fixture.ts";
import { setRate } from "#services/exchange/index.ts";
import { postTransfers, SETTLEMENT_BANK, WALLET } from "#services/ledger/index.ts";
import { aMember, callAs, dashboard, untilAlive } from "./people.ts";

/** The test merchant of a member, by email. */
export async function merchantOf(email: string): Promise<string> {
  const [row] = await sql()<{ id: string }[]>`
    select m.id from users u join members on members.user_id = u.id join merchants m on m.business_id = members.business_id
    where m.mode = 'test' and u.email = ${email}`;
  if (!row) throw new Error(`no merchant of ${email}`);
  return row.id;
}

/** Credits a wallet as a bank transfer does. */
export async function addToWallet(merchantId: string, amount: Money): Promise<void> {
  const key = `e2e:${merchantId}:${Date.now()}`;
  await postTransfers(db(), merchantId, [{ kind: "post", key, debit: SETTLEMENT_BANK, credit: WALLET, amount }]);
}

/** Returns the kobo of a wallet. */
export async function walletOf(merchantId: string): Promise<bigint> {
  const [row] = await sql()<{ kobo: string }[]>`
    select a.available::text as kobo from ledger_accounts a where merchant_id = ${merchantId} and account = 'wallet'`;
  return BigInt(row?.kobo ?? 0);
}

/** Makes the issuer's decision about a cardholder due now. */
export const decideNow = (email: string) =>
  sql()`update sandbox.cardholders set decides_at = now() - interval '1 second' where email = ${email}`;

/** Sets what a dollar costs a merchant from now on, in Naira. */
export async function setPrice(merchantId: string, { buy, sell }: { buy: number; sell: number }): Promise<void> {
  const scaled = (naira: number) => BigInt(naira) * 10_000n;
  const _operator = { actor: { type: "cli", id: "journeys" }, requestId: null, address: null } as const;
  await decidedByTwo((by) => setRate(by, merchantId, { buy: scaled(buy), mid: scaled(buy), sell: scaled(sell), validForHours: 1 }));
}

interface CardOfMember {
  email: string;
  merchantId: string;
  cardId: string;
  last4: string;
}

/** Signs a person up, with money in the wallet and one card, and opens the card's page. `balance` is in dollars. */
export async function aCardPage(page: Page, balance = 0): Promise<CardOfMember> {
  const email = await aMember(page);
  const merchantId = await merchantOf(email);
  await addToWallet(merchantId, naira(500_000));
  const person = { first_name: "Ngozi", last_name: "Eze", email: `ngozi-${email}` };
  const holder = await callAs(page, "POST", "/api/v1/virtual-cards/cardholders", person);
  await decideNow(person.email);
  await expect
    .poll(async () => (await callAs(page, "GET", `/api/v1/virtual-cards/cardholders/${holder.data.id}`)).data.kyc_status, {
      timeout: 30_000,
    })
    .toBe("APPROVED");
  const made = await callAs(page, "POST", "/api/v1/virtual-cards", { cardholder_id: holder.data.id, nickname: "Ads" });
  const { id: cardId } = made.data;
  await expect.poll(async () => (await callAs(page, "GET", `/api/v1/virtual-cards/${cardId}`)).data.status).toBe("ACTIVE");
  if (balance > 0) await callAs(page, "POST", `/api/v1/virtual-cards/${cardId}/fund`, { amount: balance });
  const { data } = await callAs(page, "GET", `/api/v1/virtual-cards/${cardId}`);
  await page.goto(dashboard(`/test/cards/${cardId}`));
  await untilAlive(page);
  return { email, merchantId, cardId, last4: data.last4 };
}
