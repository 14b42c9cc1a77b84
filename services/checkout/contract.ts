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
    session_id: z
      .string({ error: "Send text." })
      .regex(/^[\w-]{1,64}$/, "Send 1 to 64 letters, digits, - or _.")
      .optional()
      .meta({ description: "The same session again is the same transfer." }),
    made_at: instant.optional().meta({ description: "When the bank takes the money; by default now." }),
  })
  .meta({ id: "SimulateTransfer" });

export type SimulateTransfer = z.output<typeof SimulateTransfer>;

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
