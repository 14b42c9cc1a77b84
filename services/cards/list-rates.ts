import { db } from "#db/client.ts";
import { money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import { currentRate, presentRate } from "../exchange/index.ts";
import { feeOf, feeRuleFor } from "./fees.ts";

/** The merchant's rates of this moment, as the API shows them. Throws PROVIDER_UNAVAILABLE where they are past their validity. */
export async function listRates({ merchant }: MerchantContext) {
  const rate = await currentRate(db(), merchant);
  const issueFee = feeOf(money(0n, "USD"), await feeRuleFor(db(), merchant, "issue"));
  return [presentRate(rate, await feeRuleFor(db(), merchant, "fund"), issueFee)];
}
