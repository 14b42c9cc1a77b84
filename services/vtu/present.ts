import type { z } from "zod";
import { formatMoney, toMajorNumber } from "#lib/money.ts";
import { guessNetwork } from "#lib/phone.ts";
import { isoOrNull } from "#lib/time.ts";
import {
  type CablePlanObject,
  type DataPlanObject,
  type DiscoObject,
  type ExamTypeObject,
  MAX_ELECTRICITY,
  MAX_PINS,
  MIN_ELECTRICITY,
  type PurchaseObject,
} from "./contract.ts";
import type { Product } from "./product.ts";
import type { Purchase, VisiblePurchase } from "./purchase.ts";

const BROADCASTER_NAMES: Record<string, string> = { dstv: "DSTV", gotv: "GOTV", startimes: "Startimes" };

const priceOf = ({ id, price }: Product) => {
  if (price === null) throw new Error(`product ${id} has no price`);
  return toMajorNumber(price);
};

export const presentDataPlan = (product: Product): z.output<typeof DataPlanObject> => ({
  id: product.id,
  name: product.name,
  network: product.brand,
  plan_type: product.variant,
  size: product.size,
  validity: product.validity,
  selling_price: priceOf(product),
});

export const presentCablePlan = (product: Product): z.output<typeof CablePlanObject> => ({
  id: product.id,
  name: product.name,
  provider_name: BROADCASTER_NAMES[product.brand] ?? product.brand,
  validity: product.validity,
  selling_price: priceOf(product),
});

export const presentDisco = (product: Product): z.output<typeof DiscoObject> => ({
  id: product.id,
  name: product.name,
  meter_types: ["Prepaid", "Postpaid"],
  minimum_amount: MIN_ELECTRICITY,
  maximum_amount: MAX_ELECTRICITY,
  meter_number_format: product.hasLetters ? "11 or 13 digits, or letters and digits" : "11 or 13 digits",
});

export const presentExamType = (product: Product): z.output<typeof ExamTypeObject> => ({
  id: product.id,
  name: product.name,
  selling_price: priceOf(product),
  maximum_quantity: MAX_PINS,
});

type Presented = z.output<typeof PurchaseObject>;

/** Returns the API's object of a purchase, with the tokens and pins that its reader may see. */
export function presentPurchase(purchase: VisiblePurchase): Presented {
  const { token, ...secrets } = secretsOf(purchase);
  return { ...headOf(purchase), token, ...bodyOf(purchase), ...secrets, ...datesOf(purchase) };
}

function secretsOf({ secrets, hasSecrets }: VisiblePurchase) {
  if (secrets === "withheld") return { token: null, has_token: hasSecrets };
  if (secrets === "unavailable") return { token: null, token_unavailable: true as const };
  const { tokens, pins } = secrets;
  return { token: tokens[0] ?? null, ...(tokens.length > 0 && { tokens }), ...(pins.length > 0 && { pins }) };
}

/** Returns the object for events. Merchants fetch tokens and pins by reference, so events contain none. */
export function presentPurchaseWithoutSecrets(purchase: Purchase): Record<string, unknown> {
  return { ...headOf(purchase), ...bodyOf(purchase), has_token: purchase.hasSecrets, ...datesOf(purchase) };
}

const headOf = (purchase: Purchase) => ({
  success: purchase.status === "processing" || purchase.status === "success",
  status: purchase.status,
  message: messageOf(purchase),
  reference: purchase.id,
});

const bodyOf = (purchase: Purchase) => ({
  service: purchase.service,
  product: purchase.productName,
  product_id: purchase.productId,
  variant: purchase.variant,
  recipient: purchase.recipient,
  quantity: purchase.quantity,
  amount: toMajorNumber(purchase.amount),
  currency: "NGN" as const,
  refunded: toMajorNumber(purchase.refunded),
  metadata: purchase.metadata,
  ...(purchase.units !== null && { units: purchase.units }),
});

const datesOf = ({ createdAt, completedAt }: Purchase) => ({
  created_at: createdAt.toISOString(),
  completed_at: isoOrNull(completedAt),
});

function messageOf(purchase: Purchase): string {
  const { status, productName, recipient, failureReason, refunded } = purchase;
  const what = recipient === null ? productName : `${productName} for ${recipient}`;
  const back = `${formatMoney(refunded)} is back in the wallet.`;
  switch (status) {
    case "processing":
      return `${what} is on its way. Nothing is lost: ask for its status, and do not buy it again.`;
    case "success":
      return refunded.minor > 0n ? `${what}: a part was delivered, and ${back}` : `${what} was delivered.`;
    case "failed":
      return `${what} was not delivered. ${failureReason ?? ""} ${back}${hintOf(purchase)}`;
    case "reversed":
      return `${what} was taken back by the provider, and ${back}`;
  }
}

/** Says that the number looks like another network's. Only a hint, because numbers are ported between networks. */
function hintOf({ service, recipient, productName }: Purchase): string {
  if (recipient === null || (service !== "airtime" && service !== "data")) return "";
  const network = guessNetwork(recipient);
  if (network === undefined || productName.toLowerCase().startsWith(network)) return "";
  return ` The number looks like ${network === "9mobile" ? "9mobile" : network.toUpperCase()}'s: check its network.`;
}
