import { z } from "zod";
import { toWebAddress } from "#lib/web-address.ts";
import { echoedMetadata, emailText, instant, metadata, nairaBetween, nameText, textOf } from "../fields.ts";
import { createdRange, PageQuery, Pagination } from "../page-query.ts";

/** Naira that one payment link may ask for. */
export const MIN_LINK = 100;
export const MAX_LINK = 10_000_000;

const MAX_ADDRESS = 2_048;
/** An address, parsed to the form of the URL standard. That form is longer if it has encoded letters. */
const CallbackUrl = textOf(MAX_ADDRESS).transform((text, ctx) => {
  const url = toWebAddress(text);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url && isWeb && url.username === "" && url.password === "" && url.href.length <= MAX_ADDRESS) return url.href;
  ctx.addIssue({
    code: "custom",
    message:
      "Send a full http or https address without a user name, a password or a backslash, of at most 2,048 characters once its letters are encoded.",
  });
  return z.NEVER;
});

export const CreatePaymentLink = z
  .strictObject({
    amount: nairaBetween(MIN_LINK, MAX_LINK).meta({ description: "Naira, with at most two decimals.", example: 5000 }),
    description: textOf(200).optional().meta({ description: "Shown on the payment page.", example: "Order 1042" }),
    customer_name: nameText(100).optional(),
    customer_email: emailText.optional(),
    callback_url: CallbackUrl.optional().meta({
      description: "Where the customer goes after paying, with `reference` and `status` appended. https only in live mode.",
      example: "https://shop.example/thanks",
    }),
    metadata,
    replaces: z.string({ error: "Send the reference of the link." }).max(100, "Send the reference of the link.").optional().meta({
      description:
        "The reference of an expired, unpaid link of yours that this one replaces. A link is replaced once. The old page leads the customer to the new one.",
    }),
  })
  .meta({ id: "CreatePaymentLink" });

export type CreatePaymentLink = z.output<typeof CreatePaymentLink>;

export const TransferObject = z
  .object({
    amount: z.number(),
    classification: z.enum(["exact", "underpaid", "overpaid", "late", "duplicate"]),
    disposition: z
      .enum(["accepted", "returned", "recalled"])
      .meta({ description: "`recalled`: it had paid the link, and the bank took it back." }),
    sender_name: z.string().nullable(),
    session_id: z.string().meta({ description: "The bank's own name for the transfer." }),
    received_at: z.iso.datetime().meta({ description: "When the bank took the money." }),
  })
  .meta({ id: "Transfer" });

const linkFields = {
  reference: z.string().meta({ description: "Names the link; used for status checks." }),
  order_no: z.string(),
  payment_link: z.url().meta({ description: "The page to send the customer to." }),
  checkout_url: z.url().meta({ description: "The processor's own page, or ours where it has none; kept for older integrations." }),
  amount: z.number().meta({ description: "Naira." }),
  currency: z.literal("NGN"),
  status: z.enum(["pending", "success", "expired"]),
  description: z.string().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string().nullable(),
  callback_url: z.string().nullable(),
  metadata: echoedMetadata,
  paid_at: z.iso.datetime().nullable().meta({ description: "The bank's time of the transfer; null until paid." }),
  recalled_at: z.iso.datetime().nullable().meta({
    description: "When the bank took the money back. The link stays `success`, and your wallet has paid it back, or owes it.",
  }),
  refunded_amount: z.number().meta({ description: "Naira of its refunds that are paid. The link stays `success`." }),
  replaces: z.string().nullable().meta({ description: "The reference of the link that this one replaces." }),
  replaced_by: z.string().nullable().meta({
    description:
      "The reference of the link that replaces this one. If this one is paid late after all, that one expires, unless it is paid already.",
  }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().meta({
    description:
      "30 minutes after creation, or earlier where the link that it replaces is paid after all. Money that the bank takes from then on is sent back.",
  }),
  transfers: z.array(TransferObject).meta({
    description:
      "Each transfer to the account of which its bank tells, in the order of arrival. Not every bank tells of late or second transfers that it sends back.",
  }),
};

export const PaymentLinkObject = z.object(linkFields).meta({ id: "PaymentLink" });

/** The body of checkout's answers: the link's fields beside `success`. */
export const PaymentLinkAnswer = z.object({ success: z.literal(true), ...linkFields }).meta({ id: "PaymentLinkAnswer" });

export const PaymentLinkList = z
  .object({ success: z.literal(true), data: z.array(PaymentLinkObject), pagination: Pagination })
  .meta({ id: "PaymentLinkList" });

export const StatusQuery = z.object({
  reference: z
    .string({ error: "Send the reference of the link." })
    .min(1, "Send the reference of the link.")
    .max(100, "Send the reference of the link."),
});

export const ListPaymentLinksQuery = PageQuery.extend({
  status: z.enum(["pending", "success", "expired"], { error: "Send pending, success or expired." }).optional(),
  ...createdRange("Links"),
});

export type ListPaymentLinksQuery = z.output<typeof ListPaymentLinksQuery>;

export const SimulateTransfer = z
  .strictObject({
    amount: nairaBetween(0.01, 100_000_000).optional().meta({ description: "Naira; by default the exact amount." }),
    sender_name: nameText(100).optional(),
    sender_account: z
      .string({ error: "Send ten digits." })
      .regex(/^\d{10}$/, "Send ten digits.")
      .optional()
      .meta({
        description:
          "The payer's account. Its end decides what becomes of refunds: 0000 fails, 1111 is processing and then paid, 2222 is processing and then fails, 5555 is paid and comes back.",
      }),
    session_id: z
      .string({ error: "Send text." })
      .regex(/^[\w-]{1,64}$/, "Send 1 to 64 letters, digits, - or _.")
      .optional()
      .meta({ description: "The same session again is the same transfer." }),
    made_at: instant.optional().meta({ description: "When the bank takes the money; by default now." }),
  })
  .meta({ id: "SimulateTransfer" });

export type SimulateTransfer = z.output<typeof SimulateTransfer>;

const REFUND_STATUSES = ["needs_account", "processing", "paid", "failed", "reversed"] as const;

const AT = z.iso.datetime();

const sampled = {
  at: AT.meta({ description: "The first time." }),
  last_at: AT,
  times: z.int().meta({ description: "Sampled: at most once a minute; each `sent` and `unsent` counts." }),
};

export const TimelineEntryObject = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("created"), at: AT }),
    z.object({ type: z.literal("opened"), ...sampled }),
    z.object({ type: z.literal("copied"), ...sampled }),
    z.object({ type: z.literal("sent"), ...sampled }),
    z.object({ type: z.literal("unsent").meta({ description: "The payer took `sent` back." }), ...sampled }),
    z.object({ type: z.literal("returned"), ...sampled }),
    z.object({ type: z.literal("expired"), at: AT }),
    z.object({
      type: z.literal("transfer"),
      at: AT.meta({ description: "When the bank took the money." }),
      amount: z.number(),
      classification: TransferObject.shape.classification,
      disposition: TransferObject.shape.disposition,
    }),
    z.object({
      type: z.literal("refund"),
      at: AT.meta({ description: "When it was made, paid, failed or came back." }),
      amount: z.number(),
      status: z.enum(REFUND_STATUSES),
    }),
    z.object({
      type: z.literal("posting").meta({ description: "Your wallet moved." }),
      at: AT,
      amount: z.number(),
      direction: z.enum(["credit", "debit"]),
    }),
  ])
  .meta({ id: "TimelineEntry" });

export const Timeline = z
  .object({ success: z.literal(true), reference: z.string(), data: z.array(TimelineEntryObject) })
  .meta({ id: "Timeline" });

/** Naira. */
const MIN_REFUND = 1;
const MAX_REASON = 200;

const refundAmount = nairaBetween(MIN_REFUND, MAX_LINK)
  .optional()
  .meta({ description: "Naira, with at most two decimals. Default: everything that is left of the payment.", example: 1500 });
const paymentReference = z
  .string({ error: "Send the reference of the link." })
  .min(1, "Send the reference of the link.")
  .max(100, "Send the reference of the link.")
  .meta({ description: "The reference of the link that was paid." });

export const REFUND = {
  reference: paymentReference,
  amount: refundAmount,
  reason: nameText(MAX_REASON)
    .optional()
    .meta({ description: "For your own records. The customer does not see it.", example: "Out of stock" }),
};
export const CreateRefund = z.strictObject(REFUND).meta({ id: "CreateRefund" });

export const ListRefundsQuery = PageQuery.extend({
  payment_reference: z.string().max(100, "Send the reference of a link.").optional(),
  status: z.enum(REFUND_STATUSES, { error: `Send one of ${REFUND_STATUSES.join(", ")}.` }).optional(),
  ...createdRange("Refunds"),
});
export type ListRefundsQuery = z.output<typeof ListRefundsQuery>;

/** Text that cannot be an id becomes an empty one, so that the answer is RESOURCE_NOT_FOUND, as for any unknown id. */
export const RefundParams = z.object({
  id: z
    .string({ error: "Send an id." })
    .transform((text) => (/^\w{1,64}$/.test(text) ? text : ""))
    .meta({ description: "The id of the refund, or its reference." }),
});

const refundFields = {
  id: z.string(),
  reference: z.string().meta({ description: "The name by which the bank knows it." }),
  payment_reference: z.string().meta({ description: "The reference of the link that was paid." }),
  amount: z.number().meta({ description: "Naira." }),
  currency: z.literal("NGN"),
  status: z.enum(REFUND_STATUSES).meta({
    description:
      "`needs_account`: the bank does not tell the payer's account, so the customer is asked for it by mail, for 72 hours. `processing` until the bank has decided; it is never sent again. `reversed`: it was paid and came back.",
  }),
  waits_for: z.enum(["customer", "owner"]).nullable().meta({
    description: "While `needs_account`. `owner`: the account is not known to be the payer's, and an owner decides in the dashboard.",
  }),
  account: z.object({ bank_name: z.string(), account_number: z.string(), account_name: z.string() }).nullable().meta({
    description: "The account that the customer has named; masked but for its last four digits. Null where the bank returns it by itself.",
  }),
  reason: z.string().nullable(),
  failure_reason: z.string().nullable(),
  created_at: z.iso.datetime(),
  paid_at: z.iso.datetime().nullable(),
};

export const RefundObject = z.object(refundFields).meta({ id: "Refund" });

/** The body of an answer: the refund's fields beside `success`. */
export const RefundAnswer = z.object({ success: z.literal(true), ...refundFields }).meta({ id: "RefundAnswer" });

export const RefundList = z
  .object({ success: z.literal(true), data: z.array(RefundObject), pagination: Pagination })
  .meta({ id: "RefundList" });

const bankCode = textOf(20).regex(/^[A-Za-z0-9]{1,20}$/, "Choose your bank.");
const refundToken = z.string().regex(/^[\w.-]{20,250}$/, "This link is not complete. Open it from the mail again.");
/** The forms of the page by which a customer names an account. */
export const NameRefundAccountForm = z.object({
  token: refundToken,
  bank_code: bankCode,
  account_number: z
    .string()
    .transform((text) => text.replace(/[\s-]/g, ""))
    .refine((digits) => /^\d{10}$/.test(digits), "Type your account number: ten digits."),
});
export const GiveRefundAccountForm = z.object({ token: refundToken, account: textOf(2_000) });
