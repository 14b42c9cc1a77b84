import { type Answer, accepted, ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import type { Money } from "#lib/money.ts";
import type { ErrorCode } from "#lib/problem.ts";
import { newPurchaseId } from "#lib/references.ts";
import type { MerchantContext } from "#services/context.ts";
import type { Metadata } from "#services/fields.ts";
import { buyProduct, type Customer, getPurchase, PurchaseObject, presentPurchase, type VisiblePurchase } from "#services/vtu/index.ts";

/** The part of the declaration that all purchase endpoints share. */
export const purchaseRoute = {
  area: "vtu",
  permission: buyProduct.needs.permission,
  description: "200 when it is final, also when it has failed and its money is back in the wallet; 202 while the provider has not decided.",
  returns: { 200: dataOf(PurchaseObject), 202: dataOf(PurchaseObject) },
  errors: [
    "PRODUCT_UNAVAILABLE",
    "PRICE_CHANGED",
    "DUPLICATE_PURCHASE",
    "INSUFFICIENT_BALANCE",
    "PROVIDER_UNAVAILABLE",
  ] satisfies ErrorCode[],
  replay: {
    newResourceId: ({ merchant }: MerchantContext) => newPurchaseId(merchant.number),
    afterLostAnswer: "finds",
    present: async (ctx: MerchantContext, id: string) => ({ data: presentPurchase(await getPurchase(ctx, id)) }),
  },
} as const;

/** Returns 200 for a final purchase, also a failed one, and 202 while the provider has not decided. */
export const answerWithPurchase = (purchase: VisiblePurchase): Answer =>
  (purchase.status === "processing" ? accepted : ok)({ data: presentPurchase(purchase) });

interface Options {
  expected_price?: Money | undefined;
  allow_duplicate: boolean;
  metadata?: Metadata | undefined;
}

/** Returns the fields that the bodies of all purchases have, as `buyProduct` takes them. */
export const optionsOf = ({ expected_price: expectedPrice, allow_duplicate: allowDuplicate, metadata }: Options) => ({
  expectedPrice,
  allowDuplicate,
  metadata,
});

/** Returns the customer's details that the merchant sent, without empty ones. */
export const customerOf = (given: { name?: string | undefined; phone?: string | undefined; email?: string | undefined }): Customer =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value));
