import type { Tx } from "#db/client.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";

/** What the merchant can spend. Never below zero. */
export const WALLET = "wallet";
/** Money that banks hold for the merchant. */
export const SETTLEMENT_BANK = "settlement:bank";
/** What the merchant owes us and its wallet could not cover. Taken from later credits. */
export const RECEIVABLE = "receivable:merchant";
/** Money at the bank that is not the merchant's: it is sent back, or an operator finds its owner. */
export const SUSPENSE = "suspense";

const ACCOUNTS_OF_A_MERCHANT = [
  { account: WALLET, normalSide: "credit", floored: true },
  { account: SETTLEMENT_BANK, normalSide: "debit", floored: false },
  { account: RECEIVABLE, normalSide: "debit", floored: true },
  { account: SUSPENSE, normalSide: "credit", floored: true },
] as const;

/** Opens the Naira accounts of a new merchant. */
export async function openLedger(tx: Tx, merchantId: string): Promise<void> {
  await tx.insert(ledgerAccounts).values(ACCOUNTS_OF_A_MERCHANT.map((row) => ({ merchantId, currency: "NGN" as const, ...row })));
}
