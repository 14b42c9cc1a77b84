import { z } from "zod";
import { formatMoney, money, toMajorNumber } from "#lib/money.ts";
import { guessNetwork } from "#lib/phone.ts";
import { isoOrNull } from "#lib/time.ts";
import { openSecrets } from "./delivery.ts";
import { PURCHASE_STATUSES, type PurchaseRow, SERVICES } from "./purchase.ts";

const Pin = z.object({ serial: z.string(), pin: z.string() });

export const PurchaseObject = z
  .object({
    success: z.boolean().meta({
      description:
        "False only when the money came back: the purchase has failed, or was reversed. True while it is processing: deliver by `status`.",
    }),
    status: z.enum(PURCHASE_STATUSES),
    message: z.string().meta({ description: "For people." }),
    reference: z.string().meta({ example: "vtu_01KAF3YQW5A8Q6ZJ4K1S2T3V4W" }),
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
    units: z.string().optional().meta({ description: "What the tokens are worth.", example: "45.6 kWh" }),
    tokens: z.array(z.string()).optional().meta({ description: "Every token, in the order in which the meter takes them." }),
    pins: z.array(Pin).optional(),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Purchase" });

type Presented = z.output<typeof PurchaseObject>;

/** A purchase as the API answers it, with what its buyer keys in. Throws `CannotOpen`. */
export function presentPurchase(purchase: PurchaseRow): Presented {
  const { tokens, pins } = openSecrets(purchase);
  return {
    ...headOf(purchase),
    token: tokens[0] ?? null,
    ...bodyOf(purchase),
    ...(tokens.length > 0 && { tokens }),
    ...(pins.length > 0 && { pins }),
    ...datesOf(purchase),
  };
}

/** As events tell of it: tokens and pins are fetched by reference. */
export function presentPurchaseWithoutSecrets(purchase: PurchaseRow): Record<string, unknown> {
  return { ...headOf(purchase), ...bodyOf(purchase), has_token: purchase.secrets !== null, ...datesOf(purchase) };
}

const naira = (minor: bigint) => toMajorNumber(money(minor, "NGN"));

const headOf = (purchase: PurchaseRow) => ({
  success: purchase.status === "processing" || purchase.status === "success",
  status: purchase.status,
  message: messageOf(purchase),
  reference: purchase.id,
});

const bodyOf = (purchase: PurchaseRow) => ({
  service: purchase.service,
  product: purchase.productName,
  product_id: purchase.productId,
  variant: purchase.variant,
  recipient: purchase.recipient,
  quantity: purchase.quantity,
  amount: naira(purchase.amount),
  currency: "NGN" as const,
  refunded: naira(refundedOf(purchase)),
  ...(purchase.units !== null && { units: purchase.units }),
});

const datesOf = ({ createdAt, completedAt }: PurchaseRow) => ({
  created_at: createdAt.toISOString(),
  completed_at: isoOrNull(completedAt),
});

const refundedOf = ({ status, amount, charged }: PurchaseRow): bigint => (status === "processing" ? 0n : amount - charged);

function messageOf(purchase: PurchaseRow): string {
  const { status, productName, recipient, failureReason } = purchase;
  const refunded = refundedOf(purchase);
  const what = recipient === null ? productName : `${productName} for ${recipient}`;
  const back = `${formatMoney(money(refunded, "NGN"))} is back in the wallet.`;
  switch (status) {
    case "processing":
      return `${what} is on its way. Nothing is lost: ask for its status, and do not buy it again.`;
    case "success":
      return refunded > 0n ? `${what}: a part was delivered, and ${back}` : `${what} was delivered.`;
    case "failed":
      return `${what} was not delivered. ${failureReason ?? ""} ${back}${hintOf(purchase)}`;
    case "reversed":
      return `${what} was taken back by the provider, and ${back}`;
  }
}

/** Numbers are ported, so that a number looks like another network's is a hint and no more. */
function hintOf({ service, recipient, productName }: PurchaseRow): string {
  if (recipient === null || (service !== "airtime" && service !== "data")) return "";
  const network = guessNetwork(recipient);
  if (network === undefined || productName.toLowerCase().startsWith(network)) return "";
  return ` The number looks like ${network === "9mobile" ? "9mobile" : network.toUpperCase()}'s: check its network.`;
}
