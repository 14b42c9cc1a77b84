import { and, eq, sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { type Money, money } from "#lib/money.ts";

/** What the merchant can spend. Never below zero. */
export const WALLET = "wallet";
/** Money that banks hold for the merchant. */
export const SETTLEMENT_BANK = "settlement:bank";
/** What the merchant owes us and its wallet could not cover. Taken from later credits. */
export const RECEIVABLE = "receivable:merchant";
/** Money at the bank that is not the merchant's: it is sent back, or an operator finds its owner. */
export const SUSPENSE = "suspense";

/** The counter-accounts of an exchange: what was given for Naira and for dollars, at the middle rate. */
export const FX_NGN = "fx:ngn";
export const FX_USD = "fx:usd";
/** What exchanges earned: the difference to the middle rate. Naira. */
export const REVENUE_SPREAD = "revenue:spread";
/** Fees, in dollars. */
export const REVENUE_FEES = "revenue:fees";
/** Dollars that the issuer has paid to shops for the merchant's cards. */
export const SETTLEMENT_ISSUER = "settlement:issuer";
/** What the aggregators are owed for what they delivered to the merchant's customers. Naira. */
export const SETTLEMENT_VTU = "settlement:vtu";
/** Differences with the issuer about cards that are at their end, in dollars, until they are explained. Either way: it has no floor. */
export const SUSPENSE_ISSUER = "suspense:issuer";
/** What a card holds, in dollars; its holds are the card's open authorizations and unloads. Below zero where a shop took more than was there. */
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

/** What a card has to spend: what it holds less its holds. Undefined where it has no account. */
export async function findCardBalance(tx: Tx | Database, merchantId: string, cardId: string): Promise<Money | undefined> {
  const [row] = await tx
    .select({ minor: sql<bigint>`ledger_available(ledger_accounts)` })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.merchantId, merchantId), eq(ledgerAccounts.account, cardAccount(cardId))));
  return row && money(BigInt(row.minor), "USD");
}
