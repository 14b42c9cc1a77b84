import { sql } from "drizzle-orm";
import { type Database, db, type Tx, transaction } from "#db/client.ts";
import { payoutFees } from "#db/schema/payouts.ts";
import type { Money } from "#lib/money.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { Merchant, MerchantContext, OperatorContext } from "../../context.ts";
import { type FeeRule, FREE, feeOf, figuresOfFee, requireFeeRule } from "../../fee-rule.ts";
import { verb } from "../../verb.ts";
import { lockMerchant, validFromAfterLast } from "../rows.ts";

/** The fee of payouts as it applies to a merchant. */
export interface PayoutFee {
  /** In kobo and basis points. */
  rule: FeeRule;
  /** Whether it was set for this merchant, and not for its mode. */
  isOwn: boolean;
}

/** Returns the fee of a merchant now, or at the time after a lock: its own, else that of its mode, else none. */
async function readPayoutFee(tx: Tx | Database, { id, mode }: Pick<Merchant, "id" | "mode">, at?: Date): Promise<PayoutFee> {
  const [row] = await tx.execute<FeeRule & { is_own: boolean }>(sql`
    select flat, bps, minimum, maximum, merchant_id = ${id} as is_own from payout_fees
    where merchant_id in (${id}, ${`mer_platform_${mode}`}) and valid_from <= ${at ? sql`${at.toISOString()}::text::timestamptz` : sql`now()`}
    order by (merchant_id = ${id}) desc, valid_from desc limit 1`);
  if (!row) return { rule: FREE, isOwn: false };
  const { is_own: isOwn, ...rule } = row;
  return { rule, isOwn };
}

/** Returns the fee of a merchant's payouts. */
export const getPayoutFee = ({ merchant }: MerchantContext): Promise<PayoutFee> => readPayoutFee(db(), merchant);

/** Returns the fee in Naira of a payout of an amount. */
export const feeOfPayout = async (tx: Tx | Database, merchant: Pick<Merchant, "id" | "mode">, amount: Money, at?: Date): Promise<Money> =>
  feeOf(amount, (await readPayoutFee(tx, merchant, at)).rule);

/**
 * Sets the fee of a merchant's payouts, or of a whole mode if `merchant` is the platform's, in kobo. Applies to later payouts; earlier rows stay. Throws
 * VALIDATION_ERROR as `requireFeeRule` does.
 */
export const setPayoutFee = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, merchant: Pick<Merchant, "id" | "mode">, rule: FeeRule): Promise<void> => {
    requireFeeRule(rule);
    const { flat, bps, minimum, maximum } = rule;
    const { id: merchantId } = merchant;
    await transaction(async (tx) => {
      const { at } = await lockMerchant(tx, merchantId);
      const { rule: before } = await readPayoutFee(tx, merchant, at);
      const validFrom = await validFromAfterLast(tx, payoutFees, merchantId, at);
      await tx.insert(payoutFees).values({ merchantId, flat, bps, minimum, maximum, validFrom });
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: "payout_fee.set", subject: merchantId },
        ...{ before: figuresOfFee(before), after: figuresOfFee(rule) },
      });
    });
  },
);
