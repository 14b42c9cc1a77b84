import { z } from "zod";
import { nairaBetween, textOf } from "../fields.ts";
import { PageQuery } from "../pagination.ts";
import { PURCHASE_STATUSES, SERVICES } from "./purchase.ts";
import { CustomerPhone, MeterNumber, MobileNumber, oneOf, SmartCardNumber } from "./recipients.ts";

const NETWORKS = ["mtn", "glo", "airtel", "9mobile"] as const;
const BROADCASTERS = ["DSTV", "GOTV", "Startimes"] as const;
const LARGEST_PRICE = 10_000_000;

const common = {
  expected_price: nairaBetween(0.01, LARGEST_PRICE).optional().meta({
    description: "What the whole purchase should cost, in Naira. Where it costs anything else nothing is bought: `PRICE_CHANGED`.",
  }),
  allow_duplicate: z.boolean({ error: "Send true or false." }).default(false).meta({
    description:
      "The same recipient, product and amount again within 30 seconds is `DUPLICATE_PURCHASE`, unless the first one failed, or this is true, or an Idempotency-Key says that it is meant.",
  }),
};

const productId = (list: string) =>
  z
    .number({ error: `Send the id of one of ${list}, a whole number without quotes.` })
    .int(`Send the id of one of ${list}, a whole number.`)
    .min(1, `Send the id of one of ${list}.`)
    .max(2_147_483_647, `Send the id of one of ${list}.`);

export const BuyAirtime = z
  .strictObject({
    network: oneOf(NETWORKS),
    phone: MobileNumber,
    amount: nairaBetween(50, 50_000).meta({ description: "Naira, with at most two decimals.", example: 500 }),
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

const MeterType = oneOf(["Prepaid", "Postpaid"]);

export const BuyElectricity = z
  .strictObject({
    disco_id: productId("the discos"),
    meter_number: MeterNumber,
    meter_type: MeterType,
    amount: nairaBetween(500, 100_000).meta({ description: "Naira, with at most two decimals.", example: 5_000 }),
    customer_name: textOf(100).optional(),
    customer_phone: CustomerPhone.optional(),
    customer_email: z.union([z.email("Send an email address.").max(254, "Send an email address."), z.literal("")]).optional(),
    ...common,
  })
  .meta({ id: "BuyElectricity" });

const { expected_price, allow_duplicate } = common;

export const BuyExam = z
  .strictObject({
    exam_type_id: productId("the exam types"),
    quantity: z
      .number({ error: "Send how many pins, 1 to 20." })
      .int("Send a whole number of pins.")
      .min(1, "Send at least 1.")
      .max(20, "Send at most 20.")
      .meta({ example: 2 }),
    expected_price,
    allow_duplicate: allow_duplicate.meta({
      description: "Pins have no recipient, so nothing tells the same again from a double click: send an Idempotency-Key.",
    }),
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

export const DataPlansQuery = z.object({ network: oneOf(NETWORKS).optional() });
export const CablePlansQuery = z.object({ provider_name: oneOf(BROADCASTERS).optional() });

/** A purchase's reference, as we make them; anything else cannot exist. */
export const ReferenceQuery = z.object({
  reference: z
    .string({ error: "Send the reference of a purchase." })
    .min(1, "Send the reference of a purchase.")
    .max(100, "Send the reference of a purchase.")
    .meta({ description: "The `reference` of a purchase.", example: "vtu_01KAF3YQW5A8Q6ZJ4K1S2T3V4W" }),
});

export const ListPurchasesQuery = PageQuery.extend({
  status: z.enum(PURCHASE_STATUSES, { error: `Send one of ${PURCHASE_STATUSES.join(", ")}.` }).optional(),
  service: z.enum(SERVICES, { error: `Send one of ${SERVICES.join(", ")}.` }).optional(),
  recipient: textOf(40)
    .optional()
    .meta({ description: "A phone, meter or smart card number, as it was bought for or as people write it." }),
});
export type ListPurchasesQuery = z.output<typeof ListPurchasesQuery>;
