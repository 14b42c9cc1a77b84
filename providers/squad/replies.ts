import { z } from "zod";
import { koboAmount, nairaAmount } from "../amounts.ts";
import type { Reply } from "../bearer-calls.ts";

// The shapes of Squad's answers and notices, as far as we read them.

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const Ok = z.object({ success: z.literal(true) });

/** An answer without data that says what was wrong. */
export const Refusal = z.object({ success: z.literal(false), message: z.string() });

/** Returns whether Squad says that it has no such transaction. Other things that it does not find, such as a merchant or a path, say nothing of it. */
export function isNotFound({ status, body }: Reply): boolean {
  const refusal = Refusal.safeParse(body);
  return status === 404 && refusal.success && /^\s*transaction( reference)? not found\.?\s*$/i.test(refusal.data.message);
}

export const Initiated = Ok.extend({
  data: z.object({
    account_name: z.string().trim().min(1),
    account_number: z.string().regex(/^\d{10}$/),
    expected_amount: nairaAmount,
    expires_at: moment,
    transaction_reference: z.string(),
    bank: z.string().trim().min(1),
    currency: z.string(),
    is_blocked: z.boolean().nullish(),
  }),
});

/** A transfer to an account. Squad tells neither its amount nor an id of it. */
const Row = z.object({
  transaction_status: z.string(),
  transaction_reference: z.string(),
  created_at: moment,
  refund: z.boolean().nullish(),
});
export type Row = z.output<typeof Row>;

export const Requery = Ok.extend({ data: z.object({ count: z.int().nonnegative(), rows: z.array(Row) }) });

/** The fields of a notice that Squad signs. */
export const Notice = z.object({
  transaction_reference: z.string().max(200),
  amount_received: z.string().max(30),
  merchant_reference: z.string().max(100),
  transaction_type: z.string().nullish(),
});

export const Lookup = Ok.extend({ data: z.object({ account_name: z.string().trim().min(1), account_number: z.string() }) });

/** The answer to an order and to a reading. It is not documented whether the word is in `status` or in `transaction_status`, and which has one. */
export const Payout = Ok.extend({
  data: z.object({
    transaction_reference: z.string(),
    amount: koboAmount.nullish(),
    account_number: z.string().nullish(),
    nip_transaction_reference: z.string().nullish(),
    transaction_status: z.string().nullish(),
    status: z.string().nullish(),
  }),
});

export const Balance = Ok.extend({ data: z.object({ balance: z.union([z.string(), z.number()]) }) });
export const PoolCount = Ok.extend({ data: z.object({ count_dynamic_virtual_account: z.int().nonnegative() }) });
export const UndeliveredNotices = Ok.extend({ data: z.array(z.object({ id: z.unknown() })) });
