import { eq, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { type FeeRule, figuresOfFee, requireFeeRule } from "../../fee-rule.ts";
import { verb } from "../../verb.ts";
import type { FeeKind } from "./prices.ts";

/**
 * Sets the fee rule of a merchant, or of a whole mode if `merchantId` is the platform merchant's. Applies to later operations. Throws
 * VALIDATION_ERROR for basis points outside 0 to 10,000, a negative fee, or a maximum below the minimum.
 */
export const setFeeRule = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, merchantId: string, kind: FeeKind, rule: FeeRule): Promise<void> => {
    const { flat, bps, minimum, maximum } = rule;
    requireFeeRule(rule);
    const maximumText = maximum === null ? null : String(maximum);
    await transaction(async (tx) => {
      // The rule may have no row yet. The merchant's lock keeps it from being set by another transaction meanwhile.
      await tx.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchantId)).for("no key update");
      const [before] = await tx.execute<FeeRule>(sql`
      select flat, bps, minimum, maximum from card_fees where merchant_id = ${merchantId} and kind = ${kind}`);
      await tx.execute(sql`
      insert into card_fees (merchant_id, kind, flat, bps, minimum, maximum)
      values (${merchantId}, ${kind}, ${String(flat)}::text::bigint, ${bps}, ${String(minimum)}::text::bigint, ${maximumText}::text::bigint)
      on conflict (merchant_id, kind) do update set flat = excluded.flat, bps = excluded.bps, minimum = excluded.minimum, maximum = excluded.maximum`);
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: "fee_rule.set", subject: merchantId },
        ...{ before: before ? figuresOf(kind, before) : null, after: figuresOf(kind, rule) },
      });
    });
  },
);

const figuresOf = (kind: FeeKind, rule: FeeRule) => ({ kind, ...figuresOfFee(rule) });
