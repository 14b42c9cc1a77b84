import { db } from "#db/client.ts";
import type { Context } from "../context.ts";
import { currentRate, presentRate } from "../exchange/index.ts";
import { feeRuleFor } from "./fees.ts";

/** The merchant's rates of this moment, as the API shows them. Throws PROVIDER_UNAVAILABLE where they are past their validity. */
export async function listRates({ merchant }: Context) {
  return [presentRate(await currentRate(db(), merchant), await feeRuleFor(db(), merchant, "fund"))];
}
