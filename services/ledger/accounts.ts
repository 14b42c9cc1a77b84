import { and, eq } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { type Money, money } from "#lib/money.ts";

/** The money that the merchant can spend. Its available balance is never below zero. */
export const WALLET = "wallet";
/** Money that banks keep for the merchant. */
export const SETTLEMENT_BANK = "settlement:bank";
/** Debts of the merchant that its wallet could not cover. The ledger pays them from money that becomes available later. */
export const RECEIVABLE = "receivable:merchant";
/** Money at the bank that does not belong to the merchant. It is sent back, or an operator finds its owner. */
export const SUSPENSE = "suspense";

/** The counter-accounts of an exchange: its leg in Naira and its leg in dollars, worth the same at the middle rate. */
export const FX_NGN = "fx:ngn";
export const FX_USD = "fx:usd";
/** The earnings of exchanges, in Naira: the difference to the middle rate. */
export const REVENUE_SPREAD = "revenue:spread";
/** Fees, in dollars. */
export const REVENUE_FEES = "revenue:fees";
/** Fees of payouts, in Naira. */
export const REVENUE_PAYOUTS = "revenue:payouts";
/** Dollars that the issuer has paid to shops for the merchant's cards. */
export const SETTLEMENT_ISSUER = "settlement:issuer";
/** Naira that we owe the aggregators for deliveries to the merchant's customers. */
export const SETTLEMENT_VTU = "settlement:vtu";
/** Unexplained differences with the issuer about ended cards, in dollars. They may be positive or negative, so the account has no floor. */
export const SUSPENSE_ISSUER = "suspense:issuer";
/**
 * Returns the name of a card's account, in dollars. Its holds are open authorizations and unloads. It is below zero where a shop took more
 * than the balance.
 */
export const cardAccount = (cardId: string) => `card:${cardId}`;

const ACCOUNTS_OF_A_MERCHANT = [
  { account: WALLET, currency: "NGN", normalSide: "credit", floored: true },
  { account: SETTLEMENT_BANK, currency: "NGN", normalSide: "debit", floored: false },
  { account: RECEIVABLE, currency: "NGN", normalSide: "debit", floored: true },
  { account: SUSPENSE, currency: "NGN", normalSide: "credit", floored: true },
  { account: FX_NGN, currency: "NGN", normalSide: "credit", floored: false },
  { account: FX_USD, currency: "USD", normalSide: "debit", floored: false },
  { account: REVENUE_SPREAD, currency: "NGN", normalSide: "credit", floored: false },
  { account: REVENUE_FEES, currency: "USD", normalSide: "credit", floored: false },
  { account: REVENUE_PAYOUTS, currency: "NGN", normalSide: "credit", floored: false },
  { account: SETTLEMENT_ISSUER, currency: "USD", normalSide: "credit", floored: false },
  { account: SUSPENSE_ISSUER, currency: "USD", normalSide: "credit", floored: false },
  { account: SETTLEMENT_VTU, currency: "NGN", normalSide: "credit", floored: false },
] as const;

/** Opens the accounts of a new merchant. */
export async function openLedger(tx: Tx, merchantId: string): Promise<void> {
  await tx.insert(ledgerAccounts).values(ACCOUNTS_OF_A_MERCHANT.map((row) => ({ merchantId, ...row })));
}

/** Opens the account of a card that has just been issued. */
export async function openCardAccount(tx: Tx, merchantId: string, cardId: string): Promise<void> {
  await tx
    .insert(ledgerAccounts)
    .values({ merchantId, account: cardAccount(cardId), currency: "USD", normalSide: "credit", floored: false });
}

/** Returns the available dollars of a card: its balance less its holds. Undefined where the card has no account. */
export async function findCardBalance(tx: Tx | Database, merchantId: string, cardId: string): Promise<Money | undefined> {
  const [row] = await tx
    .select({ minor: ledgerAccounts.available })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.merchantId, merchantId), eq(ledgerAccounts.account, cardAccount(cardId))));
  return row && money(row.minor, "USD");
}
