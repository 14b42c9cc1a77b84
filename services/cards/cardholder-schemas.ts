import { z } from "zod";
import { toE164 } from "#lib/phone.ts";
import { textOf } from "../fields.ts";
import { PageQuery } from "../pagination.ts";
import type { CardholderRow } from "./card.ts";

export const nameOf = (what: string) =>
  textOf(100)
    .transform((text) => text.trim())
    .refine((text) => text.length > 0, `Send the ${what}.`);

const Phone = textOf(30).transform((text, ctx) => {
  const phone = toE164(text);
  if (phone !== undefined) return phone;
  ctx.addIssue({ code: "custom", message: "Send a Nigerian mobile number (08012345678) or one with its country code (+2348012345678)." });
  return z.NEVER;
});

export const CreateCardholder = z
  .strictObject({
    first_name: nameOf("first name").meta({ example: "Ngozi" }),
    last_name: nameOf("last name").meta({ example: "Eze" }),
    email: z
      .email("Send an email address.")
      .max(254, "Send at most 254 characters.")
      .transform((email) => email.toLowerCase())
      .meta({ description: "Names the person: the same email answers the same cardholder.", example: "ngozi@example.com" }),
    phone: Phone.optional().meta({ description: "Nigerian or E.164; kept as E.164.", example: "08031234567" }),
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
    created_at: z.iso.datetime(),
  })
  .meta({ id: "Cardholder" });

export function presentCardholder(cardholder: CardholderRow): z.output<typeof CardholderObject> {
  return {
    id: cardholder.id,
    first_name: cardholder.firstName,
    last_name: cardholder.lastName,
    email: cardholder.email,
    phone: cardholder.phone,
    kyc_status: cardholder.kycStatus,
    kyc_rejection_reason: cardholder.kycRejectionReason,
    created_at: cardholder.createdAt.toISOString(),
  };
}

/** In a path or a query. */
export const cardholderIdText = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, "Send the id of a cardholder, a whole number.")
  .transform(Number);

export const ListCardholdersQuery = PageQuery.extend({
  email: z
    .string()
    .max(254, "Send at most 254 characters.")
    .transform((email) => email.toLowerCase())
    .optional()
    .meta({ description: "The one cardholder that has this email." }),
  kyc_status: z.enum(["PENDING", "APPROVED", "REJECTED"], { error: "Send PENDING, APPROVED or REJECTED." }).optional(),
});
export type ListCardholdersQuery = z.output<typeof ListCardholdersQuery>;

export const CardholderParams = z.object({
  id: cardholderIdText.meta({ description: "The id of the cardholder." }),
});
