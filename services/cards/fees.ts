import { sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { Merchant } from "../context.ts";

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

/** Returns the merchant's own rule, else the platform's rule for the merchant's mode, else a rule without a fee. */
export async function feeRuleFor(tx: Tx | Database, { id, mode }: Pick<Merchant, "id" | "mode">, kind: FeeKind): Promise<FeeRule> {
  const [rule] = await tx.execute<FeeRule>(sql`
    select flat, bps, minimum, maximum from card_fees
    where merchant_id in (${id}, ${`mer_platform_${mode}`}) and kind = ${kind} order by (merchant_id = ${id}) desc limit 1`);
  return rule ?? FREE;
}

/** Returns the fee of an amount in US dollars, each fraction of a cent rounded up. */
export function feeOf({ minor }: Money, { flat, bps, minimum, maximum }: FeeRule): Money {
  const fee = flat + (minor * BigInt(bps) + BPS - 1n) / BPS;
  const atLeast = fee < minimum ? minimum : fee;
  return money(maximum !== null && atLeast > maximum ? maximum : atLeast, "USD");
}
