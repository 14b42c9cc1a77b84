import { db } from "#db/client.ts";
import type { MerchantContext } from "../../context.ts";
import type { FeeRule } from "../../fee-rule.ts";
import { type FeeKind, type FeeSource, findFeeRule } from "./prices.ts";

/** A fee of cards as it applies to a merchant. */
export interface CardFee {
  kind: FeeKind;
  /** In US cents and basis points. */
  rule: FeeRule;
  source: FeeSource;
}

/** Returns the fees of cards as they apply to a merchant now, each with where it comes from. */
export const listFees = ({ merchant }: MerchantContext): Promise<CardFee[]> =>
  Promise.all((["issue", "fund"] as const).map(async (kind) => ({ kind, ...(await findFeeRule(db(), merchant, kind)) })));
