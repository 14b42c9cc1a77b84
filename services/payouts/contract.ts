import { z } from "zod";
import { echoedMetadata, metadata, nairaBetween, nairaText, nameText, textOf } from "../fields.ts";
import { createdRange, PageQuery } from "../page-query.ts";

/** Naira. */
export const MIN_PAYOUT = 100;
export const MAX_PAYOUT = 10_000_000;
const MAX_NARRATION = 50;
const STATUSES = ["processing", "paid", "failed", "reversed"] as const;

/** Text that cannot be an id becomes an empty one, so that the answer is RESOURCE_NOT_FOUND, as for any unknown id. */
const id = z.string({ error: "Send an id." }).transform((text) => (/^\w{1,64}$/.test(text) ? text : ""));

export const PayoutParams = z.object({ id: id.meta({ description: "The id of the payout, or its reference." }) });
export const BankAccountParams = z.object({ id: id.meta({ description: "The id of the bank account." }) });
export const PayoutRequestParams = z.object({ id: id.meta({ description: "The id of the request." }) });

export const payoutAmount = nairaBetween(MIN_PAYOUT, MAX_PAYOUT).meta({ description: "Naira that shall arrive.", example: 250_000 });
const narration = nameText(MAX_NARRATION)
  .optional()
  .meta({ description: "What the payee's bank shows. Default: Payout.", example: "Week 47" });
const bankAccountId = id.meta({ description: "An account of yours (`GET /api/v1/bank-accounts`).", example: "bac_…" });

export const CreatePayout = z
  .strictObject({ amount: payoutAmount, bank_account_id: bankAccountId, narration, metadata })
  .meta({ id: "CreatePayout" });

/** A payout by a member names what it was shown to cost. */
export const PAYOUT_OF_MEMBER = {
  amount: payoutAmount,
  bank_account_id: bankAccountId,
  narration,
  expected_total: nairaBetween(MIN_PAYOUT, 2 * MAX_PAYOUT).meta({
    description: "Naira with the fee, as it was shown. Another total is refused with PRICE_CHANGED.",
  }),
};
export const REQUEST_OF_MEMBER = { amount: payoutAmount, bank_account_id: bankAccountId, narration };

export const PayoutQuoteQuery = z.object({
  amount: nairaText
    .refine(({ minor }) => minor >= BigInt(MIN_PAYOUT) * 100n, `Send at least ${MIN_PAYOUT} Naira.`)
    .refine(({ minor }) => minor <= BigInt(MAX_PAYOUT) * 100n, `Send at most ${MAX_PAYOUT.toLocaleString("en")} Naira.`)
    .meta({ description: "Naira that shall arrive.", example: "250000" }),
});

export const ListPayoutsQuery = PageQuery.extend({
  status: z.enum(STATUSES, { error: `Send one of ${STATUSES.join(", ")}.` }).optional(),
  bank_account_id: z
    .string()
    .regex(/^\w{1,64}$/, "Send the id of a bank account.")
    .optional(),
  ...createdRange("Payouts"),
});
export type ListPayoutsQuery = z.output<typeof ListPayoutsQuery>;

export const BankObject = z
  .object({
    code: z.string().meta({ description: "Digits, and letters at some banks. Leading zeros count.", example: "058" }),
    name: z.string().meta({ example: "Guaranty Trust Bank" }),
  })
  .meta({ id: "Bank" });

const accountNumber = z.string().meta({ description: "Masked but for its last four digits.", example: "******4417" });

export const BankAccountObject = z
  .object({
    id: z.string(),
    bank_code: z.string(),
    bank_name: z.string(),
    account_number: accountNumber,
    account_name: z.string().meta({ description: "The owner, as the account's bank has it." }),
    status: z.enum(["pending", "active"]).meta({ description: "Only an active account can be paid to." }),
    usable_at: z.iso.datetime().meta({ description: "When it becomes active, if no decision of our people is due." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "BankAccount" });

export const PayoutObject = z
  .object({
    id: z.string(),
    reference: z.string().meta({ description: "The name by which the bank knows it." }),
    amount: z.number().meta({ description: "Naira that arrive." }),
    fee: z.number(),
    total: z
      .number()
      .meta({ description: "Naira that leave the wallet: amount and fee. A failure or a reversal gives all of it back, once." }),
    currency: z.literal("NGN"),
    status: z.enum(STATUSES).meta({
      description: "`processing` until the bank has decided; it is never paid again. `reversed`: it was paid and came back.",
    }),
    bank_account: z.object({
      id: z.string(),
      bank_code: z.string(),
      bank_name: z.string(),
      account_number: accountNumber,
      account_name: z.string(),
    }),
    narration: z.string().nullable(),
    metadata: echoedMetadata,
    session_id: z.string().nullable().meta({ description: "The id by which both banks know the transfer, where the bank tells it." }),
    failure_reason: z.string().nullable(),
    created_at: z.iso.datetime(),
    paid_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Payout" });

export const PayoutQuoteObject = z
  .object({
    amount: z.number(),
    fee: z.number(),
    total: z.number().meta({ description: "Naira that would leave the wallet." }),
    available_after: z
      .number()
      .meta({ description: "Naira that would be available in the wallet then. Below zero: the wallet does not cover it." }),
    payable: z.number().meta({ description: "Naira that can be paid out now, fees included: money of payment links waits for a time." }),
    needs_second_person: z
      .boolean()
      .meta({ description: "The business wants two people for more than one may pay out alone on a day, so a key cannot pay this out." }),
    arrives: z.string().meta({ example: "usually within minutes" }),
  })
  .meta({ id: "PayoutQuote" });

export const PayoutRequestObject = z
  .object({
    id: z.string(),
    amount: z.number(),
    bank_account_id: z.string(),
    narration: z.string().nullable(),
    state: z.enum(["open", "approved", "declined", "withdrawn", "expired"]),
    payout_id: z.string().nullable(),
    expires_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "PayoutRequest" });

const bankCode = textOf(20).regex(/^[A-Za-z0-9]{1,20}$/, "Choose a bank.");
const typedNumber = z
  .string({ error: "Type the account number: ten digits." })
  .transform((text) => text.replace(/[\s-]/g, ""))
  .refine((digits) => /^\d{10}$/.test(digits), "Type the account number: ten digits.");

export const NameBankAccount = z.strictObject({ bank_code: bankCode, account_number: typedNumber }).meta({ id: "NameBankAccount" });
export const NamedBankAccount = z
  .object({
    account_name: z.string(),
    is_business: z
      .boolean()
      .meta({ description: "Whether the name is the business's. If not, our people decide about the account in live mode." }),
  })
  .meta({ id: "NamedBankAccount" });
export const NEW_BANK_ACCOUNT = {
  bank_code: bankCode,
  account_number: typedNumber,
  account_name: textOf(200).meta({ description: "The owner as it was shown. Another one by now is a VERSION_CONFLICT." }),
};
/** The token of the link that removes an account. */
export const RemovalLinkForm = z.object({
  token: z.string().regex(/^[\w.-]{20,200}$/, "This link is not complete. Open it from the mail again."),
});
export const RemovedBankAccount = z.object({ id: z.string(), removed: z.literal(true) }).meta({ id: "RemovedBankAccount" });

const limitOrNone = nairaBetween(0, 1_000_000_000).nullable();
export const PAYOUT_RULES = {
  max_amount: limitOrNone.meta({ description: "Naira of one payout; null: the operator's limit alone." }),
  max_a_day: limitOrNone.meta({ description: "Naira of all payouts of a day in Lagos; null: the operator's limit alone." }),
  two_people_above: limitOrNone.meta({
    description: "One person alone pays out so many Naira a day; above it two decide. Null: one person decides.",
  }),
  automatic: z.enum(["day", "week"], { error: "Send day, week or null." }).nullable(),
  automatic_account_id: id.nullable(),
  automatic_reserve: nairaBetween(0, 1_000_000_000).meta({ description: "Naira that stay in the wallet." }),
};
export const PayoutRulesObject = z
  .object({
    ...{ max_amount: z.number().nullable(), max_a_day: z.number().nullable(), two_people_above: z.number().nullable() },
    ...{ automatic: z.enum(["day", "week"]).nullable(), automatic_account_id: z.string().nullable(), automatic_reserve: z.number() },
    valid_from: z.iso.datetime().nullable().meta({ description: "Null: the business has never set rules." }),
  })
  .meta({ id: "PayoutRules" });
