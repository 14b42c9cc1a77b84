import { z } from "zod";
import { createdRange, PageQuery } from "../page-query.ts";

/** The areas of audited acts, by the prefix of the action. */
export const AUDIT_AREAS = {
  team: ["member.", "invitation.", "two_factor_rule."],
  business: ["business.", "brand.", "embed_origins.", "area.", "balance_limit."],
  keys: ["api_key."],
  webhooks: ["webhook_endpoint.", "webhook_secret."],
  money: [
    "bank_account.",
    "payout.",
    "payout_request.",
    "payout_rules.",
    "payout_limits.",
    "payout_fee.",
    "payment.",
    "refund.",
    "card_operation.",
    "suspense.",
    "rate.",
    "fee_rule.",
    "purchase_exceptions.",
  ],
  secrets: ["card.", "purchase."],
  service: ["provider.", "cardholder.", "merchant."],
} as const satisfies Record<string, readonly string[]>;

export type AuditArea = keyof typeof AUDIT_AREAS;
const AREAS = ["team", "business", "keys", "webhooks", "money", "secrets", "service"] as const satisfies readonly AuditArea[];

export const ListAuditQuery = PageQuery.extend({
  by: z
    .string()
    .regex(/^\w{1,64}$/, "Send the id of a member, `api` or `service`.")
    .optional()
    .meta({ description: "A member's id; `api`: the merchant's servers; `service`: the people who run Oja." }),
  about: z.enum(AREAS, { error: `Send ${AREAS.join(", ")}.` }).optional(),
  subject: z.string().max(100, "Send the id of a thing.").optional().meta({ description: "The id of the thing that was changed." }),
  ...createdRange("Entries"),
}).meta({ id: "ListAuditQuery" });
