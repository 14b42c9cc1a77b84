import { sql } from "drizzle-orm";
import { type Database, type Tx, transaction } from "#db/client.ts";
import { payoutLimits } from "#db/schema/payouts.ts";
import { type Money, money, naira } from "#lib/money.ts";
import { invalid } from "#lib/problem.ts";
import { DAY_MS } from "#lib/time.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { Merchant, OperatorContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import { lockMerchant } from "../rows.ts";

/** The operator's limits of a merchant's payouts. */
export interface PayoutLimits {
  /** Naira of one payout. */
  maxAmount: Money;
  /** Naira of all payouts of a day in Lagos. */
  maxADay: Money;
  /** For how long money of payment links cannot be paid out, because banks recall. */
  delayMs: number;
}

/** The limits as they apply to a merchant. */
export interface MerchantLimits extends PayoutLimits {
  /** Whether they were set for this merchant, and not for its mode. */
  isOwn: boolean;
}

/** The limits where no operator has set any. */
const DEFAULTS: Record<Merchant["mode"], PayoutLimits> = {
  test: { maxAmount: naira(10_000_000), maxADay: naira(100_000_000), delayMs: 0 },
  live: { maxAmount: naira(5_000_000), maxADay: naira(20_000_000), delayMs: DAY_MS },
};

/** Returns the limits of a merchant: its own, else those of its mode. */
export async function readLimits(tx: Tx | Database, { id, mode }: Pick<Merchant, "id" | "mode">): Promise<MerchantLimits> {
  const [row] = await tx.execute<{ max_amount: bigint; max_a_day: bigint; delay_ms: bigint; is_own: boolean }>(sql`
    select max_amount, max_a_day, delay_ms, merchant_id = ${id} as is_own from payout_limits
    where merchant_id in (${id}, ${`mer_platform_${mode}`}) order by (merchant_id = ${id}) desc limit 1`);
  if (!row) return { ...DEFAULTS[mode], isOwn: false };
  const [maxAmount, maxADay] = [money(row.max_amount, "NGN"), money(row.max_a_day, "NGN")];
  return { maxAmount, maxADay, delayMs: Number(row.delay_ms), isOwn: row.is_own };
}

const MAX_DELAY_MS = 30 * DAY_MS;

const figuresOf = ({ maxAmount, maxADay, delayMs }: PayoutLimits) => ({
  ...{ max_amount: String(maxAmount.minor), max_a_day: String(maxADay.minor), delay_ms: String(delayMs) },
});

/**
 * Sets the limits of a merchant, or of a whole mode if `merchant` is the platform's. Applies to later payouts. Throws VALIDATION_ERROR for a delay above
 * 30 days.
 */
export const setPayoutLimits = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, merchant: Pick<Merchant, "id" | "mode">, limits: PayoutLimits): Promise<void> => {
    if (limits.delayMs > MAX_DELAY_MS) throw invalid("delay", "The delay is at most 30 days.");
    const set = { maxAmount: limits.maxAmount.minor, maxADay: limits.maxADay.minor, delayMs: limits.delayMs };
    await transaction(async (tx) => {
      await lockMerchant(tx, merchant.id);
      const before = await readLimits(tx, merchant);
      await tx
        .insert(payoutLimits)
        .values({ merchantId: merchant.id, ...set })
        .onConflictDoUpdate({ target: payoutLimits.merchantId, set });
      await noteInAudit(tx, ctx, {
        ...{ merchantId: merchant.id, action: "payout_limits.set", subject: merchant.id },
        ...{ before: figuresOf(before), after: figuresOf(limits) },
      });
    });
  },
);
