import { randomInt } from "node:crypto";
import { request } from "undici";
import { sql, transaction } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { newId } from "#lib/ids.ts";
import { naira } from "#lib/money.ts";
import { newPayoutId } from "#lib/references.ts";
import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { until } from "#testing/until.ts";
import { addToWallet } from "../cards/cards.fixture.ts";
import { madeBy } from "../context.ts";
import { aLiveMerchant, aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import type { Final } from "../money-out.ts";
import { payoutBanks } from "../providers/index.ts";
import { claimPayout, type NewPayout } from "./paying/claim-payout.ts";
import type { PayoutRow, PayoutStatus } from "./payout.ts";
import { NO_RULES } from "./payout-rules.ts";
import { findPayoutRow } from "./rows.ts";
import type { ChosenRules } from "./rules/tighten.ts";

export const PAYOUT_BANKS = ["sandbox", "sandbox-plain"] as const;
export type PayoutBankName = (typeof PAYOUT_BANKS)[number];

/** Returns a merchant with `wallet` Naira at one of the test banks. */
export async function aPayoutMerchant({
  bank = "sandbox",
  wallet = 1_000_000,
}: {
  bank?: PayoutBankName;
  wallet?: number;
} = {}): Promise<TestMerchant> {
  const shop = await aMerchant({ bank });
  if (wallet > 0) await addToWallet(shop, naira(wallet));
  return shop;
}

/** Returns a live merchant with `wallet` Naira, whose money is at the simulated Paystack. */
export async function aLivePayoutMerchant({ wallet = 1_000_000 }: { wallet?: number } = {}): Promise<TestMerchant> {
  const shop = await aLiveMerchant({ bank: "paystack" });
  if (wallet > 0) await addToWallet(shop, naira(wallet));
  return shop;
}

/** The numbers differ, because a merchant has each account once. */
let numbers = randomInt(1_000);
export const anAccountNumber = (ending = "4417") => `${String(numbers++ % 1_000_000).padStart(6, "0")}${ending}`;

/** Stores an account that can be used, with a number of this ending. Returns its id. */
export async function aBankAccount({ merchant }: TestMerchant, ending = "4417"): Promise<string> {
  const id = newId("bankAccount");
  const number = anAccountNumber(ending);
  const [code, name] = merchant.mode === "live" ? ["058", "Guaranty Trust Bank"] : ["00A", "Harbour Bank (test)"];
  await sql()`
    insert into bank_accounts (merchant_id, id, provider, bank_code, bank_name, account_number, account_name, usable_at, awaits_decision, made_by)
    values (${merchant.id}, ${id}, ${merchant.bank}, ${code}, ${name}, ${number}, ${`TEST ACCOUNT ${ending}`},
      date_trunc('milliseconds', now() - interval '1 day'), false, 'member:usr_test')`;
  return id;
}

/** Naira of `aClaimedPayout`, unless a test changes it. */
export const PAYOUT = naira(25_000);

/** Stores a payout and holds its money. No bank is asked. */
export async function aClaimedPayout(shop: TestMerchant, changes: Partial<NewPayout> = {}): Promise<PayoutRow> {
  const bankAccountId = changes.bankAccountId ?? (await aBankAccount(shop));
  const bank = payoutBanks.for(shop.merchant);
  return transaction((tx) =>
    claimPayout(tx, shop.merchant, bank, {
      ...{ id: newPayoutId(shop.merchant.number), amount: PAYOUT, madeBy: madeBy(shop.ctx), ...changes },
      bankAccountId,
    }),
  );
}

export const PAID: Final = { status: "paid", sessionId: "000012345678901234567890123456" };
export const FAILED: Final = { status: "failed", reason: "The account is closed." };
export const REVERSED: Final = { status: "reversed", reason: "The payee's bank sent it back." };

/** Returns the row of a payout as it is now. */
export async function currentRow(payout: Pick<PayoutRow, "merchantId" | "id">): Promise<PayoutRow> {
  const row = await findPayoutRow(payout);
  if (!row) throw new Error(`no payout ${payout.id}`);
  return row;
}

/** Waits until the payout has this status, and returns it. Throws after 20 s. */
export const payoutThatIs = (status: PayoutStatus, payout: Pick<PayoutRow, "merchantId" | "id">): Promise<PayoutRow> =>
  until(async () => {
    const row = await currentRow(payout);
    return row.status === status && row;
  }, 20_000);

/** Returns rules without limits, with these changes. */
export function chosenRules(changes: Partial<ChosenRules> = {}): ChosenRules {
  const { validFrom: _, ...rules } = NO_RULES;
  return { ...rules, ...changes };
}

/** Makes a payout due. */
export async function makeDue({ merchantId, id }: Pick<PayoutRow, "merchantId" | "id">): Promise<void> {
  await sql()`update payouts set next_attempt_at = now() - interval '1 second' where merchant_id = ${merchantId} and id = ${id}`;
}

/** Makes a payout one hour older and due. By that age the bank would know it if it had received it. */
export async function letPayoutAge({ merchantId, id }: Pick<PayoutRow, "merchantId" | "id">): Promise<void> {
  await sql()`
    update payouts set created_at = created_at - interval '1 hour', next_attempt_at = now() - interval '1 second'
    where merchant_id = ${merchantId} and id = ${id}`;
}

export type PayoutFault = "hang_before" | "error_before" | "hang_after" | "error_after" | "nonsense" | "unknown_word" | "refuse";

/** Makes the next call of this operation fail at a test bank: for one account or, by default, for any. */
export async function orderPayoutFault(bank: PayoutBankName, operation: string, fault: PayoutFault, subject = "*"): Promise<void> {
  const body = JSON.stringify({ operation, fault, subject });
  const path = bank === "sandbox" ? "bank" : "bank-plain";
  const reply = await request(`${settings().SANDBOX_URL}/sandbox/${path}/payout-faults`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-sandbox-signature": sign(sandboxRequestSecret(), body) },
    body,
  });
  await reply.body.dump();
  if (reply.statusCode >= 300) throw new Error(`the bank answered ${reply.statusCode}`);
}

/** Returns how often a test bank was ordered to pay to a merchant's accounts. */
export async function ordersAt(shop: TestMerchant): Promise<number> {
  const [row] = await sql()<{ orders: number }[]>`
    select count(*)::int as orders from sandbox.payouts s
    where exists (select from payouts p where p.merchant_id = ${shop.merchant.id} and lower(p.id) = s.reference)`;
  return row?.orders ?? 0;
}
