import { z } from "zod";
import { toMajorNumber } from "#lib/money.ts";
import type { Wallet, WalletTransaction } from "./wallet.ts";

export const WalletObject = z
  .object({
    currency: z.literal("NGN"),
    balance: z.number().meta({ description: "Naira. Everything that has settled." }),
    available: z.number().meta({ description: "Naira. What can be spent: the balance less what is held." }),
    held: z.number().meta({ description: "Naira. Set aside for operations that are still running." }),
    owed: z.number().meta({ description: "Naira. What you owe because your wallet could not cover it: the next credits pay it first." }),
  })
  .meta({ id: "Wallet" });

export function presentWallet({ balance, available, held, owed }: Wallet): z.output<typeof WalletObject> {
  return {
    currency: "NGN",
    balance: toMajorNumber(balance),
    available: toMajorNumber(available),
    held: toMajorNumber(held),
    owed: toMajorNumber(owed),
  };
}

export const WalletTransactionObject = z
  .object({
    id: z.string(),
    type: z.string().meta({ description: "What moved the money.", example: "payment_link" }),
    direction: z.enum(["credit", "debit"]),
    amount: z.number(),
    currency: z.literal("NGN"),
    balance_after: z.number(),
    reference: z.string().nullable().meta({ description: "The reference of what moved the money." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "WalletTransaction" });

export function presentWalletTransaction(transaction: WalletTransaction): z.output<typeof WalletTransactionObject> {
  return {
    id: transaction.id,
    type: transaction.type,
    direction: transaction.direction,
    amount: toMajorNumber(transaction.amount),
    currency: "NGN",
    balance_after: toMajorNumber(transaction.balanceAfter),
    reference: transaction.reference,
    created_at: transaction.createdAt.toISOString(),
  };
}
