import { z } from "zod";
import { nairaBetween, textOf } from "../fields.ts";
import { createdRange, PageQuery } from "../page-query.ts";

export const ListWalletTransactionsQuery = PageQuery.extend({
  type: textOf(50).optional().meta({ description: "As rows have it.", example: "payment_link" }),
  direction: z.enum(["credit", "debit"], { error: "Send credit or debit." }).optional(),
  ...createdRange("Entries"),
});

export const StatementQuery = z.object({
  month: z
    .string({ error: "Send a month like 2026-10." })
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, "Send a month like 2026-10.")
    .meta({ description: "A month in Lagos.", example: "2026-10" }),
});

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
    seq: z.int().meta({ description: "Rises with each entry. Numbers that are left out moved nothing." }),
    type: z.string().meta({ description: "What moved the money.", example: "payment_link" }),
    direction: z.enum(["credit", "debit"]),
    amount: z.number(),
    currency: z.literal("NGN"),
    balance_after: z.number(),
    reference: z.string().nullable().meta({ description: "The reference of what moved the money." }),
    related: z
      .object({
        type: z.enum(["payment_link", "card", "card_operation", "card_transaction", "purchase", "payout", "refund"]),
        id: z.string(),
        reference: z.string().nullable(),
      })
      .nullable()
      .meta({ description: "What moved the money; null for an adjustment." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "WalletTransaction" });

const MAX_BALANCE_LIMIT = 1_000_000_000;
const limitOrNone = nairaBetween(1, MAX_BALANCE_LIMIT).nullable();

export const BalanceLimit = z
  .strictObject({
    amount: limitOrNone.meta({ description: "Naira: an available balance below it is alerted to. Null: no alert.", example: 50_000 }),
    from: limitOrNone.meta({ description: "The limit that the caller has read. Another one by now is a VERSION_CONFLICT." }),
  })
  .meta({ id: "BalanceLimit" });

export const BalanceLimitObject = z
  .object({ amount: z.number().nullable().meta({ description: "Naira. Null: no alert." }) })
  .meta({ id: "BalanceLimitSet" });
