import { and, desc, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { exchangeRates } from "#db/schema/prices.ts";
import { merchants } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { DAY_MS, HOUR_MS } from "#lib/time.ts";
import { inItsTransaction, type MaybeApproved } from "../approval.ts";
import { noteInAudit } from "../audit/index.ts";
import { requireLater } from "../later.ts";
import { verb } from "../verb.ts";
import { toRateNumber } from "./convert.ts";
import { type ExchangeRate, findRateAt } from "./rates.ts";

const MAX_VALIDITY_HOURS = 8_760;

type Figures = Pick<ExchangeRate, "buy" | "mid" | "sell">;

interface NewRate extends Figures {
  validForHours: number;
  /** When it begins. Absent: now. */
  from?: Date | undefined;
}

/**
 * Sets a rate, from now on or from a later time, for one merchant, or for all merchants of a mode (by the platform merchant's id). Throws VALIDATION_ERROR unless
 * `0 < buy ≤ mid ≤ sell`, and unless the validity is above zero and at most a year; and unless two operators decide it, for a rate that is far off
 * the one that applies now, or applied a day ago.
 */
export const setRate = verb(
  { actor: ["operator"] },
  async (ctx: MaybeApproved, merchantId: string, { buy, mid, sell, validForHours, from }: NewRate): Promise<ExchangeRate> => {
    if (buy <= 0n || buy > mid || mid > sell) {
      throw invalid("rate", "The buying rate is above zero and at most the middle rate, and the middle rate at most the selling rate.");
    }
    if (!(validForHours > 0 && validForHours <= MAX_VALIDITY_HOURS)) {
      throw invalid("valid_for_hours", `A rate is valid for more than 0 hours, and at most ${MAX_VALIDITY_HOURS}.`);
    }
    if (from) requireLater(from);
    const validUntil = new Date((from?.getTime() ?? Date.now()) + validForHours * HOUR_MS);
    const id = newId("exchangeRate");
    await inItsTransaction(ctx, async (tx) => {
      // There may be no earlier rate to lock. So the merchant is locked, and no other transaction can set a rate at the same time.
      const [merchant] = await tx.select({ mode: merchants.mode }).from(merchants).where(eq(merchants.id, merchantId)).for("no key update");
      const before = await lastOwnRate(tx, merchantId, from);
      if (!ctx.approval && merchant && (await isFarOff(tx, { id: merchantId, mode: merchant.mode }, { buy, mid, sell })))
        throw invalid("rate", FAR_OFF);
      await tx.execute(sql`
      insert into exchange_rates (merchant_id, id, valid_from, buy, mid, sell, valid_until)
      values (${merchantId}, ${id}, ${from ? sql`${from.toISOString()}::text::timestamptz` : sql`date_trunc('milliseconds', now())`}, ${String(buy)}::text::bigint, ${String(mid)}::text::bigint, ${String(sell)}::text::bigint,
        ${validUntil.toISOString()}::text::timestamptz)`);
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: "rate.set", subject: id, reason: ctx.approval?.reason ?? null },
        ...{
          before: before ? figuresOf(before) : null,
          after: { ...figuresOf({ buy, mid, sell, validUntil }), ...(from && { from: from.toISOString() }) },
        },
      });
    });
    return { buy, mid, sell, validUntil };
  },
);

/** Returns the last rate of a merchant's own that begins before a time. */
async function lastOwnRate(tx: Tx, merchantId: string, before: Date | undefined): Promise<ExchangeRate | undefined> {
  const isBefore = sql`${exchangeRates.validFrom} <= ${before ? sql`${before.toISOString()}::text::timestamptz` : sql`now()`}`;
  const [row] = await tx
    .select()
    .from(exchangeRates)
    .where(and(eq(exchangeRates.merchantId, merchantId), isBefore))
    .orderBy(desc(exchangeRates.validFrom), desc(exchangeRates.id))
    .limit(1);
  return row;
}

const MAX_CHANGE_PERCENT = 5n;
const FAR_OFF = `This is more than ${MAX_CHANGE_PERCENT} % off the rate of now or of a day ago, or sells below its buying rate, so a second operator decides it: say who you are, with --as and --code.`;
/** A rate is compared with that of a day ago too, so that many small steps are one large one. */
const COMPARED_AFTER_MS = DAY_MS;

/** Returns whether a rate is so far off the rate of now, or that of a day ago, that it may be a slip, or would pay somebody who buys and sells at once. */
async function isFarOff(tx: Tx, merchant: { id: string; mode: "test" | "live" }, rate: Figures): Promise<boolean> {
  const [now, dayAgo] = [await findRateAt(tx, merchant, 0), await findRateAt(tx, merchant, COMPARED_AFTER_MS)];
  return [now, dayAgo].some((last) => last !== undefined && differs(rate, last));
}

function differs(rate: Figures, last: Figures): boolean {
  const isOff = (next: bigint, before: bigint) => 100n * (next > before ? next - before : before - next) > MAX_CHANGE_PERCENT * before;
  return rate.sell < last.buy || isOff(rate.buy, last.buy) || isOff(rate.mid, last.mid) || isOff(rate.sell, last.sell);
}

const figuresOf = ({ buy, mid, sell, validUntil }: ExchangeRate) => ({
  ...{ buy: String(toRateNumber(buy)), mid: String(toRateNumber(mid)), sell: String(toRateNumber(sell)) },
  valid_until: validUntil.toISOString(),
});
