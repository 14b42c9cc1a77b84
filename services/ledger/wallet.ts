import { and, eq, inArray } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import { RECEIVABLE, WALLET } from "./accounts.ts";

export interface Wallet {
  balance: Money;
  /** The balance less the holds. */
  available: Money;
  held: Money;
  /** The merchant's debt. Money that becomes available pays it first. */
  owed: Money;
}

/** Returns the wallet, as `on` sees it. Reads balance and debt in one statement, so that both are of one moment. */
export async function getWallet({ merchant }: MerchantContext, on: Pick<Tx, "select"> = db()): Promise<Wallet> {
  const accounts = await on
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.merchantId, merchant.id), inArray(ledgerAccounts.account, [WALLET, RECEIVABLE])));
  const wallet = accounts.find(({ account }) => account === WALLET);
  const receivable = accounts.find(({ account }) => account === RECEIVABLE);
  if (!wallet || !receivable) throw new Error(`merchant ${merchant.id} has no wallet`);
  const balance = wallet.postedCredits - wallet.postedDebits;
  return {
    balance: money(balance, wallet.currency),
    available: money(balance - wallet.pendingDebits, wallet.currency),
    held: money(wallet.pendingDebits, wallet.currency),
    owed: money(receivable.postedDebits - receivable.postedCredits, receivable.currency),
  };
}
