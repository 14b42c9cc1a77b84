import type { z } from "zod";
import { toMajorNumber } from "#lib/money.ts";
import type { WalletObject, WalletTransactionObject } from "./contract.ts";
import type { WalletTransaction } from "./list-wallet-transactions.ts";
import type { Wallet } from "./wallet.ts";

export function presentWallet({ balance, available, held, owed }: Wallet): z.output<typeof WalletObject> {
  return {
    currency: "NGN",
    balance: toMajorNumber(balance),
    available: toMajorNumber(available),
    held: toMajorNumber(held),
    owed: toMajorNumber(owed),
  };
}

export function presentWalletTransaction(transaction: WalletTransaction): z.output<typeof WalletTransactionObject> {
  const { related } = transaction;
  return {
    id: transaction.id,
    seq: Number(transaction.seq),
    type: transaction.type,
    direction: transaction.direction,
    amount: toMajorNumber(transaction.amount),
    currency: "NGN",
    balance_after: toMajorNumber(transaction.balanceAfter),
    reference: transaction.reference,
    related: related && { type: related.type, id: related.id, reference: related.reference },
    created_at: transaction.createdAt.toISOString(),
  };
}
