import { z } from "zod";
import { koboAmount } from "../amounts.ts";
import { Ok } from "./replies.ts";

// The shapes of Paystack's answers about transfers, as far as we read them.

const BankRow = z.object({ name: z.string().min(1), code: z.string().min(1), active: z.boolean().optional() });

/** One page of the list of banks. `next` is the cursor of the next page. */
export const Banks = Ok.extend({
  data: z.array(BankRow),
  meta: z.object({ next: z.string().nullable().optional() }).optional(),
});

export const ResolvedAccount = Ok.extend({ data: z.object({ account_number: z.string(), account_name: z.string().trim().min(1) }) });

/** The account of a recipient or a transfer. Not every answer has it. */
const Details = z.object({ account_number: z.string().nullish(), bank_code: z.string().nullish() });

export const Recipient = Ok.extend({
  data: z.object({ recipient_code: z.string().min(1), details: z.object({ account_number: z.string(), bank_code: z.string() }) }),
});

export const Transfer = Ok.extend({
  data: z.object({
    reference: z.string(),
    amount: koboAmount,
    currency: z.string(),
    status: z.string(),
    domain: z.string().optional(),
    recipient: z.union([z.object({ details: Details.nullish() }), z.unknown()]).optional(),
    session: z.object({ id: z.string().nullish() }).nullish().catch(null),
  }),
});

/** An answer without data that has a code too. */
export const CodedRefusal = z.object({ status: z.literal(false), message: z.string(), code: z.string().optional() });

export const TransferNotice = z.object({ reference: z.string().max(100), domain: z.string().optional() });
