import { z } from "zod";
import { koboAmount } from "../amounts.ts";

// The shapes of Paystack's answers and notices, as far as we read them. Amounts are kobo, as numbers or as texts.

/** Paystack's ids have 64 bits. A number that JavaScript cannot hold exactly is refused. */
const id = z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String);

const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** An answer that has data. */
export const Ok = z.object({ status: z.literal(true) });

/** An answer without data that says what was wrong. */
export const Refusal = z.object({ status: z.literal(false), message: z.string() });

export const Charge = Ok.extend({
  data: z.object({
    reference: z.string(),
    status: z.literal("pending_bank_transfer"),
    account_number: z.string().regex(/^\d{10}$/),
    account_name: z.string().min(1),
    account_expires_at: moment,
    bank: z.object({ name: z.string().min(1) }),
  }),
});

/** It is only shown, so another value must not delay the money. */
const shownText = z.string().nullable().catch(null);

/** Who sent the money. All of it may be missing. */
const Authorization = z
  .object({ sender_name: shownText, sender_bank: shownText, sender_bank_account_number: shownText })
  .nullable()
  .catch(null);

/** Money that arrived for a transaction. */
export const PaidTransaction = z.object({
  id,
  domain: z.string(),
  reference: z.string(),
  amount: koboAmount,
  currency: z.string(),
  channel: z.string(),
  paid_at: moment,
  authorization: Authorization,
});

export const Transaction = Ok.extend({
  data: z.looseObject({ domain: z.string(), reference: z.string(), status: z.string() }),
});

const RefundRow = z.object({
  id,
  /** Our reference, where we asked for the refund for a merchant. It is not documented that lists have it. */
  merchant_note: shownText.optional(),
  transaction: z.union([id, z.object({ id }).transform((transaction) => transaction.id)]),
  amount: koboAmount,
  status: z.string(),
});

export const Refund = Ok.extend({ data: RefundRow });
export const Refunds = Ok.extend({ data: z.array(RefundRow) });

export const Notice = z.object({ event: z.string(), data: z.looseObject({}) });

export const RefundNotice = z.object({ transaction_reference: z.string().max(100).nullable() });

export const RejectedTransfer = z.object({
  bank_transfer: z.object({ transaction_id: id }),
  customer: z.object({ email: z.string() }),
});

export const Balances = Ok.extend({ data: z.array(z.object({ currency: z.string() })) });
