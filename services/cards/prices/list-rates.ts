import { db } from "#db/client.ts";
import { money } from "#lib/money.ts";
import type { MerchantContext } from "../../context.ts";
import { currentRate, presentRate } from "../../exchange/index.ts";
import { feeOf } from "../../fee-rule.ts";
import { feeRuleFor } from "./prices.ts";

/** Returns the merchant's current rates as the API shows them. Throws PROVIDER_UNAVAILABLE if there is no valid rate. */
export async function listRates({ merchant }: MerchantContext) {
  const rate = await currentRate(db(), merchant);
  const issueFee = feeOf(money(0n, "USD"), await feeRuleFor(db(), merchant, "issue"));
  return [presentRate(rate, await feeRuleFor(db(), merchant, "fund"), issueFee)];
}
