import { formatMoney, type Money, money } from "#lib/money.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { newPurchaseId } from "#lib/references.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import type { Aggregator } from "#providers/aggregator.ts";
import { type MerchantContext, madeBy } from "../../context.ts";
import type { Metadata } from "../../fields.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { aggregators } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { getAirtime, getProduct } from "../catalogue/products.ts";
import { skuOf } from "../catalogue/sku.ts";
import { makeCatalogueDue } from "../catalogue/sync-catalogue.ts";
import type { ProductRow } from "../product.ts";
import { orderOf, type PurchaseRow, type VisiblePurchase } from "../purchase.ts";
import { findPurchase, getPurchase } from "../purchases/read-purchases.ts";
import { showOne } from "../purchases/show-secrets.ts";
import { digitsOfSmartCard, isMeterOf, isSmartCardOf } from "../recipients.ts";
import { MAX_CLAIM_TO_CALL_MS } from "../schedule.ts";
import { claimPurchase, type Quoted } from "./claim-purchases.ts";
import { settleAnswer } from "./settle-answers.ts";
import { finalOutcome } from "./transition.ts";

/** A merchant's request to buy a product. */
export type PurchaseRequest = {
  expectedPrice?: Money | undefined;
  allowDuplicate: boolean;
  metadata?: Metadata | undefined;
} & (
  | { service: "airtime"; network: string; variant: string; phone: string; amount: Money }
  | { service: "data"; productId: number; phone: string }
  | { service: "cable"; productId: number; smartCardNumber: string; customer: Customer }
  | { service: "electricity"; productId: number; meterNumber: string; meterType: string; amount: Money; customer: Customer }
  | { service: "exam"; productId: number; quantity: number }
);

export type Customer = PurchaseRow["customer"];

/**
 * Buys once. The money is held and the purchase stored before the aggregator is called, and no lock is kept during the call. Without a
 * final answer the purchase stays `processing` and the worker reads its outcome: a refund here could pay twice for a token that arrives
 * later. Throws VALIDATION_ERROR, PROVIDER_UNAVAILABLE, PRODUCT_UNAVAILABLE, PRICE_CHANGED, DUPLICATE_PURCHASE, INSUFFICIENT_BALANCE and
 * REQUEST_IN_PROGRESS, each before this call has stored a purchase.
 */
export const buyProduct = verb(
  { permission: "vtu:write" },
  async (ctx: MerchantContext, request: PurchaseRequest): Promise<VisiblePurchase> => {
    const elapsedMs = startStopwatch();
    const id = ctx.resourceId ?? newPurchaseId(ctx.merchant.number);
    if (ctx.resumed) {
      const known = await findPurchase(ctx.merchant.id, id);
      if (known) return showOne(ctx, known);
    }
    await requireUnrestrictedInLive(ctx);
    const aggregator = aggregators.for(ctx.merchant);
    const quoted = await quote(ctx, aggregator, request, id);
    const purchase = await claimPurchase({ ...quoted, claim: ctx.lease ?? null });
    if (!purchase) return getPurchase(ctx, id);
    // The claim may have waited for a long time. After this deadline the worker may already have failed the purchase as never ordered.
    if (elapsedMs() >= MAX_CLAIM_TO_CALL_MS) return getPurchase(ctx, id);
    return ask(ctx, aggregator, purchase);
  },
);

async function ask(ctx: MerchantContext, aggregator: Aggregator, purchase: PurchaseRow): Promise<VisiblePurchase> {
  const outcome = await aggregator.buy(orderOf(purchase));
  if (outcome.status === "failed" && outcome.isListStale) await makeCatalogueDue(aggregator.name);
  const final = finalOutcome(purchase, outcome);
  return final ? showOne(ctx, await settleAnswer(purchase, final)) : getPurchase(ctx, purchase.id);
}

interface Chosen {
  product: ProductRow;
  recipient: string | null;
  variant: string | null;
  quantity: number;
  unitPrice: bigint;
  customer: Customer;
}

async function quote(
  ctx: MerchantContext,
  { name: provider }: Aggregator,
  request: PurchaseRequest,
  id: string,
): Promise<Omit<Quoted, "claim">> {
  const { product, unitPrice, quantity, ...chosen } = await choose(provider, request);
  const amount = unitPrice * BigInt(quantity);
  if (request.expectedPrice && request.expectedPrice.minor !== amount) {
    const price = formatMoney(money(amount, "NGN"));
    throw new Problem("PRICE_CHANGED", `This costs ${price}, not ${formatMoney(request.expectedPrice)}. If that suits you, expect it.`);
  }
  return {
    merchantId: ctx.merchant.id,
    id,
    service: request.service,
    provider,
    productId: product.id,
    productCode: product.code,
    productName: product.name,
    sku: skuOf(product, unitPrice),
    ...chosen,
    metadata: request.metadata ?? {},
    quantity,
    unitPrice,
    amount,
    madeBy: madeBy(ctx),
    isMeant: isMeant(ctx, request),
  };
}

/** Returns whether a repetition is intended. A server's Idempotency-Key shows it. A member's does not: the dashboard always sends one. */
const isMeant = ({ actor, resourceId }: MerchantContext, { allowDuplicate }: PurchaseRequest): boolean =>
  allowDuplicate || (resourceId !== undefined && actor.type !== "member");

async function choose(provider: string, request: PurchaseRequest): Promise<Chosen> {
  const common = { variant: null, quantity: 1, customer: {} };
  switch (request.service) {
    case "airtime": {
      const product = await getAirtime(provider, request.network, request.variant);
      return { ...common, product, recipient: request.phone, variant: request.variant, unitPrice: request.amount.minor };
    }
    case "data": {
      const product = await getProduct(provider, request.service, request.productId);
      return { ...common, product, recipient: request.phone, unitPrice: priceOf(product) };
    }
    case "cable": {
      const product = await getProduct(provider, request.service, request.productId);
      if (!isSmartCardOf(product.brand, request.smartCardNumber)) throw notOfThisBroadcaster(product.brand);
      return { ...common, product, recipient: request.smartCardNumber, unitPrice: priceOf(product), customer: request.customer };
    }
    case "electricity": {
      const { productId, meterNumber, meterType, amount, customer } = request;
      const product = await getProduct(provider, request.service, productId);
      if (!isMeterOf(product, meterNumber)) throw notOfThisDisco();
      return { ...common, product, recipient: meterNumber, variant: meterType, unitPrice: amount.minor, customer };
    }
    case "exam": {
      const product = await getProduct(provider, request.service, request.productId);
      return { ...common, product, recipient: null, quantity: request.quantity, unitPrice: priceOf(product) };
    }
  }
}

export const notOfThisBroadcaster = (broadcaster: string) =>
  invalid(
    "smart_card_number",
    `Send the number on the smart card, or the IUC: ${digitsOfSmartCard(broadcaster).join(" or ")} digits at this broadcaster.`,
  );

export const notOfThisDisco = () => invalid("meter_number", "Send the number on the meter: 11 or 13 digits at this disco.");

function priceOf({ id, sellingPrice }: ProductRow): bigint {
  if (sellingPrice === null) throw new Error(`product ${id} has no price`);
  return sellingPrice;
}
