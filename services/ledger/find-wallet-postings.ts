import { and, eq, inArray, or } from "drizzle-orm";
import { db } from "#db/client.ts";
import { ledgerTransfers } from "#db/schema/ledger.ts";
import { type Money, money } from "#lib/money.ts";
import { WALLET } from "./accounts.ts";

/** A transfer that moved the wallet. */
export interface WalletPosting {
  key: string;
  direction: "credit" | "debit";
  amount: Money;
  createdAt: Date;
}

/** Returns the transfers with these keys that were posted to the wallet or from it. */
export async function findWalletPostings(merchantId: string, keys: string[]): Promise<WalletPosting[]> {
  const isOfWallet = or(eq(ledgerTransfers.debitAccount, WALLET), eq(ledgerTransfers.creditAccount, WALLET));
  const rows = await db()
    .select()
    .from(ledgerTransfers)
    .where(
      and(eq(ledgerTransfers.merchantId, merchantId), inArray(ledgerTransfers.key, keys), eq(ledgerTransfers.result, "posted"), isOfWallet),
    );
  return rows.map(({ key, creditAccount, amount, currency, createdAt }) => ({
    ...{ key, direction: creditAccount === WALLET ? "credit" : "debit", createdAt },
    amount: money(amount ?? 0n, currency ?? "NGN"),
  }));
}
