import { z } from "zod";
import { nairaAmount } from "../amounts.ts";
import type { Reply } from "../bearer-calls.ts";
import { lagosMoment } from "./lagos-moment.ts";

// The shapes of Monnify's answers and notices, as far as we read them. Amounts are Naira, as numbers or as texts.

/** An answer that has content. */
const Ok = z.object({ requestSuccessful: z.literal(true) });

/** An answer without content that says what was wrong. */
export const Refusal = z.object({ requestSuccessful: z.literal(false), responseMessage: z.string() });

/** Returns the message of a request that Monnify read and refused. It may have taken one that it answers with 408, 429 or 5xx, or in an unreadable way. */
export function refusalOf({ status, body }: Reply): string | undefined {
  const refusal = Refusal.safeParse(body);
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isRefused && refusal.success ? refusal.data.responseMessage : undefined;
}

/** Returns whether Monnify says that it does not have the named thing. A path that it does not know is answered in another shape. */
export const isNotFound = (reply: Reply): boolean => reply.status === 404 && refusalOf(reply) !== undefined;

export const Login = Ok.extend({
  responseBody: z.object({ accessToken: z.string().min(1), expiresIn: z.number().positive() }),
});

/** Monnify's reference of a transaction. */
const transactionReference = z.string().regex(/^\S{1,100}$/);

export const Initiated = Ok.extend({
  responseBody: z.object({
    transactionReference,
    paymentReference: z.string(),
    checkoutUrl: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .catch(null),
  }),
});

export const Opened = Ok.extend({
  responseBody: z.object({
    accountNumber: z.string().regex(/^\d{10}$/),
    accountName: z.string().trim().min(1),
    bankName: z.string().trim().min(1),
    accountDurationSeconds: z.number().positive(),
    amount: nairaAmount,
    totalPayable: nairaAmount,
    transactionReference: z.string().nullish(),
    paymentReference: z.string().nullish(),
  }),
});

/** It is only shown, so another value must not delay the money. */
const shownText = z.string().nullable().catch(null);

/** Where money came from. The number may be masked. */
const Source = z.object({ amountPaid: nairaAmount, accountName: shownText, accountNumber: shownText, sessionId: shownText.optional() });
export type Source = z.output<typeof Source>;

/** One source, or several, or none. */
const sources = z
  .union([z.array(Source), Source.transform((source) => [source])])
  .nullish()
  .transform((given) => given ?? []);

/** A transaction in a reading: that of one account. */
export const Transaction = Ok.extend({
  responseBody: z.object({ paymentReference: z.string(), paymentStatus: z.string(), amountPaid: nairaAmount.nullish() }),
});

/** Money that arrived for a transaction, in a reading (`accountPayments`) or in a notice (`paymentSourceInformation`). */
export const Paid = z.object({
  transactionReference,
  paymentReference: z.string().max(100),
  paymentStatus: z.string(),
  amountPaid: nairaAmount,
  totalPayable: nairaAmount,
  paidOn: lagosMoment,
  paymentMethod: z.string().nullish(),
  currency: z.string().nullish(),
  accountPayments: sources,
  paymentSourceInformation: sources,
});
export type Paid = z.output<typeof Paid>;
export const PaidTransaction = Ok.extend({ responseBody: Paid });

export const Notice = z.object({ eventType: z.string(), eventData: z.looseObject({}) });

/** Money that Monnify sent back, because its amount was wrong. */
export const Rejected = z.object({
  paymentReference: z.string().max(100),
  transactionReference: z.string().max(100),
  paymentSourceInformation: sources.refine((given) => given.length === 1),
  created_on: lagosMoment,
  paymentRejectionInformation: z.object({ rejectionReason: z.string(), expectedAmount: nairaAmount }),
});

/** A notice of money of which we read only whose it is. */
export const AccountNotice = z.object({ paymentReference: z.string().max(100) });
export const DisbursementNotice = z.object({ reference: z.string().max(100) });
export const RefundNotice = z.object({ refundReference: z.string().max(100) });

export const Refund = Ok.extend({
  responseBody: z.object({
    refundReference: z.string(),
    refundStatus: z.string(),
    refundAmount: nairaAmount,
    transactionReference: z.string().nullish(),
  }),
});

export const Banks = Ok.extend({ responseBody: z.array(z.object({ name: z.string().trim().min(1), code: z.string().min(1) })) });

export const ValidatedAccount = Ok.extend({
  responseBody: z.object({ accountNumber: z.string(), accountName: z.string().trim().min(1) }),
});

export const Disbursement = Ok.extend({
  responseBody: z.object({
    reference: z.string(),
    amount: nairaAmount,
    status: z.string(),
    destinationAccountNumber: z.string().nullish(),
    currency: z.string().nullish(),
    sessionId: z.string().nullish(),
  }),
});

export const WalletBalance = Ok.extend({ responseBody: z.object({ availableBalance: z.union([z.string(), z.number()]) }) });
