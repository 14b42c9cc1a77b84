import { sql } from "drizzle-orm";
import { bigint, check, integer, pgEnum, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { createdAt, id, minorUnits, moment, reachedMoment } from "./columns.ts";

export const cardFeeKind = pgEnum("card_fee_kind", ["issue", "fund"]);

/**
 * Fees in US cents: `flat` plus `bps` of the amount, at least `minimum`, at most `maximum`. Of a kind the latest row applies that is valid by now. The platform
 * merchant's rows are the defaults.
 */
export const cardFees = pgTable(
  "card_fees",
  {
    merchantId: id(),
    kind: cardFeeKind().notNull(),
    validFrom: reachedMoment().notNull(),
    flat: minorUnits(),
    bps: integer().notNull(),
    minimum: minorUnits(),
    maximum: bigint({ mode: "bigint" }),
  },
  (t) => [
    primaryKey({ name: "card_fees_pkey", columns: [t.merchantId, t.kind, t.validFrom] }),
    check("card_fees_not_negative", sql`${t.flat} >= 0 and ${t.bps} between 0 and 10000 and ${t.minimum} >= 0`),
    check("card_fees_maximum_above_minimum", sql`${t.maximum} >= ${t.minimum}`),
  ],
);

/** Naira for a dollar, times 10,000: we buy dollars at `buy` (unload) and sell them at `sell` (fund). The platform merchant's rows are the defaults. */
export const exchangeRates = pgTable(
  "exchange_rates",
  {
    merchantId: id(),
    id: id(),
    buy: bigint({ mode: "bigint" }).notNull(),
    mid: bigint({ mode: "bigint" }).notNull(),
    sell: bigint({ mode: "bigint" }).notNull(),
    validFrom: reachedMoment().notNull(),
    validUntil: moment().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "exchange_rates_pkey", columns: [t.merchantId, t.id] }),
    check("exchange_rates_in_order", sql`0 < ${t.buy} and ${t.buy} <= ${t.mid} and ${t.mid} <= ${t.sell}`),
    check("exchange_rates_valid_for_some_time", sql`${t.validUntil} > ${t.validFrom}`),
  ],
);
