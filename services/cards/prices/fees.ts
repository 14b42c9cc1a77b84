import { sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { Merchant } from "../../context.ts";

/** `flat`, `minimum` and `maximum` are US cents; `bps` are basis points of the amount. */
export interface FeeRule extends Record<string, unknown> {
  flat: bigint;
  bps: number;
  minimum: bigint;
  maximum: bigint | null;
}

export type FeeKind = "issue" | "fund";

const FREE: FeeRule = { flat: 0n, bps: 0, minimum: 0n, maximum: null };
const BPS = 10_000n;

/** Where a fee comes from: set for this merchant, set for all merchants of the mode, or set nowhere, so that it is free. */
export type FeeSource = "own" | "platform" | "none";

/** Returns the merchant's own rule, else the platform's rule for the merchant's mode, else a rule without a fee. */
export const feeRuleFor = async (tx: Tx | Database, merchant: Pick<Merchant, "id" | "mode">, kind: FeeKind): Promise<FeeRule> =>
  (await findFeeRule(tx, merchant, kind)).rule;

/** As `feeRuleFor`, with the source of the rule. */
export async function findFeeRule(
  tx: Tx | Database,
  { id, mode }: Pick<Merchant, "id" | "mode">,
  kind: FeeKind,
): Promise<{ rule: FeeRule; source: FeeSource }> {
  const [found] = await tx.execute<FeeRule & { is_own: boolean }>(sql`
    select flat, bps, minimum, maximum, merchant_id = ${id} as is_own from card_fees
    where merchant_id in (${id}, ${`mer_platform_${mode}`}) and kind = ${kind} order by (merchant_id = ${id}) desc limit 1`);
  if (!found) return { rule: FREE, source: "none" };
  const { is_own: isOwn, ...rule } = found;
  return { rule, source: isOwn ? "own" : "platform" };
}

/** Returns the fee of an amount in US dollars, each fraction of a cent rounded up. */
export function feeOf({ minor }: Money, { flat, bps, minimum, maximum }: FeeRule): Money {
  const fee = flat + (minor * BigInt(bps) + BPS - 1n) / BPS;
  const atLeast = fee < minimum ? minimum : fee;
  return money(maximum !== null && atLeast > maximum ? maximum : atLeast, "USD");
}
