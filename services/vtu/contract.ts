import { z } from "zod";
import { echoedMetadata, emailText, metadata, nairaBetween, nameText, textOf } from "../fields.ts";
import { createdRange, PageQuery } from "../page-query.ts";
import { CustomerPhone, MeterNumber, MobileNumber, oneOf, SmartCardNumber } from "./recipients.ts";

export const PURCHASE_STATUSES = ["processing", "success", "failed", "reversed"] as const;

export const SERVICES = ["airtime", "data", "cable", "electricity", "exam"] as const;

const NETWORKS = ["mtn", "glo", "airtel", "9mobile"] as const;

/** 9mobile was Etisalat before 2017, and is T2 since 2025. */
const OTHER_NAMES = { etisalat: "9mobile", t2: "9mobile", t2mobile: "9mobile", "t2 mobile": "9mobile" } as const;

const Network = oneOf(NETWORKS, OTHER_NAMES);

const BROADCASTERS = ["DSTV", "GOTV", "Startimes"] as const;

const MAX_PRICE = 10_000_000;

/** Naira. */
export const MIN_AIRTIME = 50;

/** Naira. */
export const MAX_AIRTIME = 50_000;

/** Naira. */
export const MIN_ELECTRICITY = 500;

/** Naira. */
export const MAX_ELECTRICITY = 100_000;

export const MAX_PINS = 20;

const common = {
  expected_price: nairaBetween(0.01, MAX_PRICE).optional().meta({
    description: "What the whole purchase should cost, in Naira. Where it costs anything else nothing is bought: `PRICE_CHANGED`.",
  }),
  allow_duplicate: z.boolean({ error: "Send true or false." }).default(false).meta({
    description:
      "The same recipient, product and amount again within 30 seconds is `DUPLICATE_PURCHASE`, unless the first one failed, or this is true, or an Idempotency-Key says that it is meant. For members of the dashboard an Idempotency-Key does not say so.",
  }),
  metadata,
};

const productId = (list: string) =>
  z
    .number({ error: `Send the id of one of ${list}, a whole number without quotes.` })
    .int(`Send the id of one of ${list}, a whole number.`)
    .min(1, `Send the id of one of ${list}.`)
    .max(2_147_483_647, `Send the id of one of ${list}.`);

export const BuyAirtime = z
  .strictObject({
    network: Network,
    phone: MobileNumber,
    amount: nairaBetween(MIN_AIRTIME, MAX_AIRTIME).meta({ description: "Naira, with at most two decimals.", example: 500 }),
    provider: oneOf(["VTU", "Sharesell"]).default("VTU").meta({ description: "VTU by default. Not every provider sells Sharesell." }),
    ...common,
  })
  .meta({ id: "BuyAirtime" });

export const BuyData = z
  .strictObject({ phone: MobileNumber, data_plan_id: productId("the data plans"), ...common })
  .meta({ id: "BuyData" });

export const BuyCable = z
  .strictObject({
    cable_plan_id: productId("the cable plans"),
    smart_card_number: SmartCardNumber,
    customer_phone: CustomerPhone.optional(),
    ...common,
  })
  .meta({ id: "BuyCable" });

const METER_TYPES = { "pre-paid": "Prepaid", "pre paid": "Prepaid", "post-paid": "Postpaid", "post paid": "Postpaid" } as const;

const MeterType = oneOf(["Prepaid", "Postpaid"], METER_TYPES);

export const BuyElectricity = z
  .strictObject({
    disco_id: productId("the discos"),
    meter_number: MeterNumber,
    meter_type: MeterType,
    amount: nairaBetween(MIN_ELECTRICITY, MAX_ELECTRICITY).meta({ description: "Naira, with at most two decimals.", example: 5_000 }),
    customer_name: nameText(100).optional(),
    customer_phone: CustomerPhone.optional(),
    customer_email: emailText.optional(),
    ...common,
  })
  .meta({ id: "BuyElectricity" });

const { expected_price, allow_duplicate } = common;

export const BuyExam = z
  .strictObject({
    exam_type_id: productId("the exam types"),
    quantity: z
      .number({ error: `Send how many pins, 1 to ${MAX_PINS}.` })
      .int("Send a whole number of pins.")
      .min(1, "Send at least 1.")
      .max(MAX_PINS, `Send at most ${MAX_PINS}.`)
      .meta({ example: 2 }),
    expected_price,
    allow_duplicate: allow_duplicate.meta({
      description: "Pins have no recipient, so nothing tells the same again from a double click: send an Idempotency-Key.",
    }),
    metadata,
  })
  .meta({ id: "BuyExam" });

export const VerifyCable = z
  .strictObject({
    cable_plan_id: productId("the cable plans").optional(),
    provider_name: oneOf(BROADCASTERS).optional(),
    smart_card_number: SmartCardNumber,
  })
  .refine(({ cable_plan_id, provider_name }) => cable_plan_id !== undefined || provider_name !== undefined, {
    path: ["provider_name"],
    message: "Send provider_name or cable_plan_id.",
  })
  .meta({ id: "VerifyCable" });

export const VerifyElectricity = z
  .strictObject({ disco_id: productId("the discos"), meter_number: MeterNumber, meter_type: MeterType })
  .meta({ id: "VerifyElectricity" });

export const DataPlansQuery = z.object({ network: Network.optional() });

export const CablePlansQuery = z.object({ provider_name: oneOf(BROADCASTERS).optional() });

/** The reference of a purchase. `getPurchase` answers any other text with RESOURCE_NOT_FOUND. */
export const ReferenceQuery = z.object({
  reference: z
    .string({ error: "Send the reference of a purchase." })
    .min(1, "Send the reference of a purchase.")
    .max(100, "Send the reference of a purchase.")
    .meta({ description: "The `reference` of a purchase.", example: "vtu_01KAF3YQW5A8Q6ZJ4K1S2T3V4W7M2Q9X4CR" }),
});

export const ListPurchasesQuery = PageQuery.extend({
  status: z.enum(PURCHASE_STATUSES, { error: `Send one of ${PURCHASE_STATUSES.join(", ")}.` }).optional(),
  service: z.enum(SERVICES, { error: `Send one of ${SERVICES.join(", ")}.` }).optional(),
  recipient: textOf(40)
    .optional()
    .meta({ description: "A phone, meter or smart card number, as it was bought for or as people write it." }),
  ...createdRange("Purchases"),
});

export type ListPurchasesQuery = z.output<typeof ListPurchasesQuery>;

const id = z.number().int().meta({ example: 1_024 });

const price = z.number().meta({ description: "Naira." });

export const DataPlanObject = z
  .object({
    id,
    name: z.string(),
    network: z.string(),
    plan_type: z.string().nullable().meta({ description: "SME, Gifting or Corporate." }),
    size: z.string().nullable(),
    validity: z.string().nullable(),
    selling_price: price,
  })
  .meta({ id: "DataPlan" });

export const CablePlanObject = z
  .object({ id, name: z.string(), provider_name: z.string(), validity: z.string().nullable(), selling_price: price })
  .meta({ id: "CablePlan" });

export const DiscoObject = z
  .object({
    id,
    name: z.string(),
    meter_types: z.array(z.enum(["Prepaid", "Postpaid"])),
    minimum_amount: price,
    maximum_amount: price,
    meter_number_format: z.string().meta({ description: "For people." }),
  })
  .meta({ id: "Disco" });

export const ExamTypeObject = z
  .object({ id, name: z.string(), selling_price: price.meta({ description: "Naira for one pin." }), maximum_quantity: z.number().int() })
  .meta({ id: "ExamType" });

const Pin = z.object({ serial: z.string(), pin: z.string() });

export const PurchaseObject = z
  .object({
    success: z.boolean().meta({
      description:
        "False only when the money came back: the purchase has failed, or was reversed. True while it is processing: deliver by `status`.",
    }),
    status: z.enum(PURCHASE_STATUSES),
    message: z.string().meta({ description: "For people." }),
    reference: z.string().meta({ example: "vtu_01KAF3YQW5A8Q6ZJ4K1S2T3V4W7M2Q9X4CR" }),
    token: z
      .string()
      .nullable()
      .meta({ description: "Prepaid electricity: what is keyed into the meter. The first, where there are several." }),
    service: z.enum(SERVICES),
    product: z.string().meta({ example: "MTN 1GB SME, 30 days" }),
    product_id: z.number().int(),
    variant: z.string().nullable().meta({ description: "Of airtime VTU or Sharesell, of electricity Prepaid or Postpaid." }),
    recipient: z.string().nullable().meta({ description: "A phone in E.164, a meter or a smart card. Null for exam pins." }),
    quantity: z.number().int(),
    amount: z.number().meta({ description: "Naira: the price of all of it." }),
    currency: z.literal("NGN"),
    refunded: z.number().meta({
      description:
        "Naira that came back to the wallet: for what was not delivered. Pins are delivered one by one: where some are missing it is a `success` with a part refunded.",
    }),
    metadata: echoedMetadata,
    units: z.string().optional().meta({ description: "What the tokens are worth.", example: "45.6 kWh" }),
    tokens: z.array(z.string()).optional().meta({ description: "Every token, in the order in which the meter takes them." }),
    pins: z.array(Pin).optional(),
    has_token: z.boolean().optional().meta({
      description:
        "Whether tokens or pins were delivered. Only where they are not shown: in lists for a member of the dashboard, and to a role that may not see them.",
    }),
    token_unavailable: z.literal(true).optional().meta({
      description: "Tokens or pins were delivered, and cannot be read now. Write to support with the `reference`.",
    }),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Purchase" });
