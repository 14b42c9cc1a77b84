import { and, desc, eq, inArray, lt, ne } from "drizzle-orm";
import { db } from "#db/client.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransfers } from "#db/schema/ledger.ts";
import { type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import { RECEIVABLE, WALLET } from "./accounts.ts";

export interface Wallet {
  balance: Money;
  /** The balance less the holds. */
  available: Money;
  held: Money;
  /** The merchant's debt. Money that becomes available pays it first. */
  owed: Money;
}

/** Returns the wallet. Reads balance and debt in one statement, so that both are of one moment. */
export async function getWallet({ merchant }: MerchantContext): Promise<Wallet> {
  const accounts = await db()
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

export interface WalletTransaction {
  id: string;
  seq: bigint;
  type: string;
  reference: string | null;
  direction: "credit" | "debit";
  amount: Money;
  balanceAfter: Money;
  createdAt: Date;
}

/**
 * Returns one page of posted entries of the wallet, newest first. Holds are not among them: `held` shows those. Throws VALIDATION_ERROR for
 * a bad cursor.
 */
export async function listWalletTransactions(
  { merchant }: MerchantContext,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<WalletTransaction>> {
  const owner = `${merchant.id}/wallet-transactions`;
  const before = cursor ? BigInt(decodeCursor(owner, cursor)) : undefined;
  const rows = await db()
    .select({ entry: ledgerEntries, meta: ledgerTransfers.meta, currency: ledgerTransfers.currency })
    .from(ledgerEntries)
    .innerJoin(
      ledgerTransfers,
      and(eq(ledgerTransfers.merchantId, ledgerEntries.merchantId), eq(ledgerTransfers.id, ledgerEntries.transferId)),
    )
    .where(
      and(
        eq(ledgerEntries.merchantId, merchant.id),
        eq(ledgerEntries.account, WALLET),
        ne(ledgerEntries.posted, 0n),
        before === undefined ? undefined : lt(ledgerEntries.seq, before),
      ),
    )
    .orderBy(desc(ledgerEntries.seq))
    .limit(limit + 1);
  const transactions = rows.map(({ entry, meta, currency }): WalletTransaction => {
    const { type = "adjustment", reference = null } = meta as { type?: string; reference?: string };
    const unit = currency ?? "NGN";
    return {
      id: entry.transferId,
      seq: entry.seq,
      type,
      reference,
      direction: entry.side,
      amount: money(entry.posted, unit),
      balanceAfter: money(entry.balanceAfter, unit),
      createdAt: entry.createdAt,
    };
  });
  return toPage(owner, transactions, limit, ({ seq }) => String(seq));
}
