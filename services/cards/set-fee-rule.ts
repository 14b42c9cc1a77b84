import { sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { invalid } from "#lib/problem.ts";
import { noteInAudit } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import type { FeeKind, FeeRule } from "./fees.ts";

const MAX_BPS = 10_000;

/**
 * Sets the fee rule of a merchant, or of a whole mode if `merchantId` is the platform merchant's. Applies to later operations. Throws
 * VALIDATION_ERROR for basis points outside 0 to 10,000, a negative fee, or a maximum below the minimum.
 */
export async function setFeeRule(ctx: OperatorContext, merchantId: string, kind: FeeKind, rule: FeeRule): Promise<void> {
  const { flat, bps, minimum, maximum } = rule;
  if (!Number.isInteger(bps) || bps < 0 || bps > MAX_BPS)
    throw invalid("percent", "The percentage is 0 to 100, with at most two decimals.");
  if (flat < 0n || minimum < 0n) throw invalid("flat", "Fees are not below zero.");
  if (maximum !== null && maximum < minimum) throw invalid("maximum", "The maximum is at least the minimum.");
  const maximumText = maximum === null ? null : String(maximum);
  await transaction(async (tx) => {
    await tx.execute(sql`
      insert into card_fees (merchant_id, kind, flat, bps, minimum, maximum)
      values (${merchantId}, ${kind}, ${String(flat)}::text::bigint, ${bps}, ${String(minimum)}::text::bigint, ${maximumText}::text::bigint)
      on conflict (merchant_id, kind) do update set flat = excluded.flat, bps = excluded.bps, minimum = excluded.minimum, maximum = excluded.maximum`);
    const subject = `${kind}: ${flat} cents and ${bps} basis points, at least ${minimum}, at most ${maximum ?? "any"} cents`;
    await noteInAudit(tx, ctx, { merchantId, action: "fee_rule.set", subject });
  });
}
