import { and, desc, eq, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { exchangeRates } from "#db/schema/prices.ts";
import { merchants } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { HOUR_MS } from "#lib/time.ts";
import { noteInAudit } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { verb } from "../verb.ts";
import { toRateNumber } from "./convert.ts";
import type { ExchangeRate } from "./rates.ts";

const MAX_VALIDITY_HOURS = 8_760;

type NewRate = Omit<ExchangeRate, "validUntil"> & { validForHours: number };

/**
 * Sets a rate from now on for one merchant, or for all merchants of a mode (by the platform merchant's id). Throws VALIDATION_ERROR unless
 * `0 < buy ≤ mid ≤ sell`, and unless the validity is above zero and at most a year.
 */
export const setRate = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, merchantId: string, { buy, mid, sell, validForHours }: NewRate): Promise<ExchangeRate> => {
    if (buy <= 0n || buy > mid || mid > sell) {
      throw invalid("rate", "The buying rate is above zero and at most the middle rate, and the middle rate at most the selling rate.");
    }
    if (!(validForHours > 0 && validForHours <= MAX_VALIDITY_HOURS)) {
      throw invalid("valid_for_hours", `A rate is valid for more than 0 hours, and at most ${MAX_VALIDITY_HOURS}.`);
    }
    const validUntil = new Date(Date.now() + validForHours * HOUR_MS);
    const id = newId("exchangeRate");
    await transaction(async (tx) => {
      // There may be no earlier rate to lock. So the merchant is locked, and no other transaction can set a rate at the same time.
      await tx.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, merchantId)).for("no key update");
      const [before] = await tx
        .select()
        .from(exchangeRates)
        .where(and(eq(exchangeRates.merchantId, merchantId), sql`${exchangeRates.validFrom} <= now()`))
        .orderBy(desc(exchangeRates.validFrom), desc(exchangeRates.id))
        .limit(1);
      await tx.execute(sql`
      insert into exchange_rates (merchant_id, id, buy, mid, sell, valid_until)
      values (${merchantId}, ${id}, ${String(buy)}::text::bigint, ${String(mid)}::text::bigint, ${String(sell)}::text::bigint,
        ${validUntil.toISOString()}::text::timestamptz)`);
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: "rate.set", subject: id },
        ...{ before: before ? figuresOf(before) : null, after: figuresOf({ buy, mid, sell, validUntil }) },
      });
    });
    return { buy, mid, sell, validUntil };
  },
);

const figuresOf = ({ buy, mid, sell, validUntil }: ExchangeRate) => ({
  ...{ buy: String(toRateNumber(buy)), mid: String(toRateNumber(mid)), sell: String(toRateNumber(sell)) },
  valid_until: validUntil.toISOString(),
});
