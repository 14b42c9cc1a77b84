import { z } from "zod";
import { asciiEmail } from "#lib/ascii-email.ts";
import { isBlank } from "#lib/blank.ts";
import { containsCardNumber } from "#lib/luhn.ts";
import { toE164 } from "#lib/phone.ts";
import { metadata as anyMetadata, dollarsBetween, echoedMetadata, emailText, nameText, requiredName, textOf } from "../fields.ts";
import { createdRange, PageQuery } from "../page-query.ts";
import { CARD_STATUSES } from "./state-machine.ts";

export { CardQuoteObject, FundCard, MAX_FUNDING, MIN_FUNDING, QuoteQuery, UnloadCard } from "./price-contract.ts";

export const nameOf = (what: string) => requiredName(100, `Send the ${what}.`);

const Phone = textOf(30).transform((text, ctx) => {
  const phone = toE164(text);
  if (phone !== undefined) return phone;
  ctx.addIssue({ code: "custom", message: "Send a Nigerian mobile number (08012345678) or one with its country code (+2348012345678)." });
  return z.NEVER;
});

/** As for links, without card numbers: no card object ever has one. */
const metadata = anyMetadata.refine(
  (given = {}) => !Object.entries(given).flat().some(containsCardNumber),
  "Send no card number: the issuer alone has it.",
);

export const CreateCardholder = z
  .strictObject({
    first_name: nameOf("first name").meta({ example: "Ngozi" }),
    last_name: nameOf("last name").meta({ example: "Eze" }),
    email: emailText
      .transform((email) => email.toLowerCase())
      .meta({ description: "Names the person: the same email answers the same cardholder.", example: "ngozi@example.com" }),
    phone: Phone.optional().meta({ description: "Nigerian or E.164; kept as E.164.", example: "08031234567" }),
    metadata,
  })
  .meta({ id: "CreateCardholder" });

export const CardholderObject = z
  .object({
    id: z.number().int(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    phone: z.string().nullable(),
    kyc_status: z.enum(["PENDING", "APPROVED", "REJECTED"]).meta({ description: "Cards can be issued once it is APPROVED." }),
    kyc_rejection_reason: z.string().nullable(),
    metadata: echoedMetadata,
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Cardholder" });

/** A cardholder's id in a path or a query. */
export const cardholderIdText = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, "Send the id of a cardholder, a whole number.")
  .transform(Number);

export const ListCardholdersQuery = PageQuery.extend({
  email: z
    .string()
    .max(254, "Send at most 254 characters.")
    .transform((email) => asciiEmail(email).toLowerCase())
    .optional()
    .meta({ description: "The one cardholder that has this email." }),
  kyc_status: z.enum(["PENDING", "APPROVED", "REJECTED"], { error: "Send PENDING, APPROVED or REJECTED." }).optional(),
});

export type ListCardholdersQuery = z.output<typeof ListCardholdersQuery>;

export const CardholderParams = z.object({
  id: cardholderIdText.meta({ description: "The id of the cardholder." }),
});

const BRANDS = ["VISA", "MASTERCARD"] as const;

const MAX_ID = Number.MAX_SAFE_INTEGER;

const nickname = nameText(50)
  .transform((text) => (isBlank(text) ? null : text))
  .refine((text) => text === null || !containsCardNumber(text), "Send a name, not a card number.")
  .meta({ description: "Yours to choose.", example: "Ads" });

export const IssueCard = z
  .strictObject({
    cardholder_id: z
      .number({ error: "Send the id of a cardholder, a whole number without quotes." })
      .int("Send the id of a cardholder, a whole number.")
      .min(1, "Send the id of a cardholder.")
      .max(MAX_ID, "Send the id of a cardholder."),
    brand: z.enum(BRANDS, { error: "Send VISA or MASTERCARD." }).default("VISA"),
    nickname: nickname.optional(),
    metadata,
  })
  .meta({ id: "IssueCard" });

export const ChangeCard = z.strictObject({ nickname: nickname.nullable() }).meta({ id: "ChangeCard" });

const cardStatus = z.enum(CARD_STATUSES);

export const CardObject = z
  .object({
    id: z.string().meta({ example: "card_01KAF3YQW5A8Q6ZJ4K1S2T3V4W" }),
    cardholder_id: z.number().int(),
    brand: z.enum(BRANDS),
    nickname: z.string().nullable(),
    status: cardStatus.meta({ description: "PENDING until the issuer has made it, then ACTIVE or FAILED. TERMINATED is for good." }),
    currency: z.literal("USD"),
    last4: z.string().nullable().meta({ description: "Null until the card is issued." }),
    masked_pan: z.string().nullable().meta({ example: "**** **** **** 4242" }),
    expiry_month: z.number().int().nullable(),
    expiry_year: z.number().int().nullable(),
    balance: z.number().meta({ description: "US dollars that can be spent: authorizations lower it." }),
    metadata: echoedMetadata,
    created_at: z.iso.datetime(),
    terminated_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Card" });

/** Refuses an id that no card of ours can have. */
export const CardParams = z.object({
  id: z
    .string()
    .regex(/^\w{1,64}$/, "Send the id of a card.")
    .meta({ description: "The id of the card." }),
});

export const ListCardsQuery = PageQuery.extend({
  status: z.enum(CARD_STATUSES, { error: `Send one of ${CARD_STATUSES.join(", ")}.` }).optional(),
  cardholder_id: cardholderIdText.optional().meta({ description: "Cards of one cardholder." }),
  ...createdRange("Cards"),
});

export type ListCardsQuery = z.output<typeof ListCardsQuery>;

const OPERATION_TYPES = ["issue", "fund", "unload", "freeze", "unfreeze", "terminate"] as const;

export const OperationParams = CardParams.extend({
  operation_id: z
    .string()
    .regex(/^\w{1,64}$/)
    .meta({ description: "The id of the operation." }),
});

export const CardOperationObject = z
  .object({
    id: z.string(),
    type: z.enum(OPERATION_TYPES),
    status: z.enum(["completed", "processing", "failed"]).meta({
      description:
        "A failed one has changed nothing, and cost nothing. Should the issuer turn out to have done it after all, it becomes completed, `card.funded` or the like tells you, and an alert says that the card is blocked.",
    }),
    failure_reason: z.string().nullable(),
    card_id: z.string(),
    amount: z.number().meta({
      description:
        "US dollars put on the card, or taken off it. Of a termination, what was left; below zero where the card was overdrawn, and the wallet paid.",
    }),
    fee: z.number().meta({ description: "US dollars." }),
    total: z.number().meta({ description: "Amount and fee: US dollars." }),
    currency: z.literal("USD"),
    exchange_rate: z.number().nullable().meta({ description: "Naira for a dollar; null where no money was exchanged." }),
    wallet_amount: z.number().meta({ description: "Naira charged to the wallet, or credited to it." }),
    wallet_currency: z.literal("NGN"),
    card_balance: z.number().meta({ description: "US dollars that the card has to spend now." }),
    reference: z.string().meta({ description: "Quote it to support; the wallet's history bears it." }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "CardOperation" });

const TRANSACTION_TYPES = ["AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "DECLINE", "FEE"] as const;

export const CardTransactionObject = z
  .object({
    id: z.string(),
    card_id: z.string(),
    type: z.enum(TRANSACTION_TYPES),
    status: z.enum(["PENDING", "COMPLETED", "REVERSED", "DECLINED"]).meta({
      description: "An authorization is PENDING while any of it is neither cleared nor reversed.",
    }),
    amount: z.number(),
    currency: z.literal("USD"),
    direction: z.enum(["debit", "credit"]),
    merchant: z.object({
      name: z.string(),
      category_code: z.string().nullable().meta({ description: "ISO 18245." }),
      city: z.string().nullable(),
      country: z.string().nullable(),
    }),
    decline_reason: z.string().nullable(),
    related_transaction_id: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "CardTransaction" });

export const CardDetailsObject = z
  .object({
    card_id: z.string(),
    brand: z.enum(BRANDS),
    number: z.string(),
    cvv: z.string(),
    expiry_month: z.number().int(),
    expiry_year: z.number().int(),
  })
  .meta({ id: "CardDetails" });

export const SimulateSpend = z
  .strictObject({
    type: z.enum(TRANSACTION_TYPES, { error: `Send one of ${TRANSACTION_TYPES.join(", ")}.` }).default("AUTHORIZATION"),
    amount: dollarsBetween(0.01, 100_000).meta({ description: "US dollars. An authorization beyond the balance becomes a decline." }),
    merchant_name: nameOf("shop's name").meta({ example: "Ikeja Supermarket" }),
    related_transaction_id: z
      .string({ error: "Send the id of a transaction." })
      .regex(/^\w{1,64}$/, "Send the id of a transaction.")
      .optional()
      .meta({ description: "What a clearing, reversal or refund follows. A reversal needs one." }),
  })
  .meta({ id: "SimulateSpend" });

export type SimulateSpend = z.output<typeof SimulateSpend>;
