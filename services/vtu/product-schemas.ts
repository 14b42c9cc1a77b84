import { z } from "zod";
import { money, toMajorNumber } from "#lib/money.ts";
import type { ProductRow } from "./purchase.ts";

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

const BROADCASTER_NAMES: Record<string, string> = { dstv: "DSTV", gotv: "GOTV", startimes: "Startimes" };

const priceOf = ({ id: product, sellingPrice }: ProductRow) => {
  if (sellingPrice === null) throw new Error(`product ${product} has no price`);
  return toMajorNumber(money(sellingPrice, "NGN"));
};

export const presentDataPlan = (product: ProductRow): z.output<typeof DataPlanObject> => ({
  id: product.id,
  name: product.name,
  network: product.brand,
  plan_type: product.variant,
  size: product.size,
  validity: product.validity,
  selling_price: priceOf(product),
});

export const presentCablePlan = (product: ProductRow): z.output<typeof CablePlanObject> => ({
  id: product.id,
  name: product.name,
  provider_name: BROADCASTER_NAMES[product.brand] ?? product.brand,
  validity: product.validity,
  selling_price: priceOf(product),
});

const LEAST_ELECTRICITY = 500;
const MOST_ELECTRICITY = 100_000;
const MOST_PINS = 20;

export const presentDisco = (product: ProductRow): z.output<typeof DiscoObject> => ({
  id: product.id,
  name: product.name,
  meter_types: ["Prepaid", "Postpaid"],
  minimum_amount: LEAST_ELECTRICITY,
  maximum_amount: MOST_ELECTRICITY,
  meter_number_format: product.hasLetters ? "11 or 13 digits, or letters and digits" : "11 or 13 digits",
});

export const presentExamType = (product: ProductRow): z.output<typeof ExamTypeObject> => ({
  id: product.id,
  name: product.name,
  selling_price: priceOf(product),
  maximum_quantity: MOST_PINS,
});
