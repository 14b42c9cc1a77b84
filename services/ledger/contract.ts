import { z } from "zod";

export const WalletObject = z
  .object({
    currency: z.literal("NGN"),
    balance: z.number().meta({ description: "Naira. Everything that has settled." }),
    available: z.number().meta({ description: "Naira. What can be spent: the balance less what is held." }),
    held: z.number().meta({ description: "Naira. Set aside for operations that are still running." }),
    owed: z.number().meta({ description: "Naira. What you owe because your wallet could not cover it: the next credits pay it first." }),
  })
  .meta({ id: "Wallet" });

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
