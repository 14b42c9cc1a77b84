import { sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { Merchant, MerchantContext } from "../context.ts";

/** Naira for a dollar, in ten-thousandths. We buy dollars at `buy` and sell them at `sell`. The spread is the difference to `mid`. */
export interface ExchangeRate {
  buy: bigint;
  mid: bigint;
  sell: bigint;
  validUntil: Date;
}

type Subject = Pick<Merchant, "id" | "mode">;

interface RateRow extends Record<string, unknown> {
  buy: bigint;
  mid: bigint;
  sell: bigint;
  valid_until: string;
  is_valid: boolean;
  is_own: boolean;
}

const toExchangeRate = ({ buy, mid, sell, valid_until }: RateRow): ExchangeRate => ({ buy, mid, sell, validUntil: new Date(valid_until) });

/** Returns the latest valid rate: the merchant's own, else the platform's. Without a valid one, returns the one that expired last. */
async function findRate(tx: Tx | Database, { id, mode }: Subject, agoMs = 0): Promise<RateRow | undefined> {
  const at = sql`now() - ${agoMs} * interval '1 ms'`;
  const [row] = await tx.execute<RateRow>(sql`
    select buy, mid, sell, valid_until, valid_until > ${at} as is_valid, merchant_id = ${id} as is_own from exchange_rates
    where merchant_id in (${id}, ${`mer_platform_${mode}`}) and valid_from <= ${at}
    order by valid_until > ${at} desc,
      case when valid_until > ${at} then (merchant_id = ${id})::int else 0 end desc,
      case when valid_until > ${at} then valid_from else valid_until end desc,
      id desc
    limit 1`);
  return row;
}

/** Returns the rate that applied to a merchant so long ago, also one that had expired. Undefined if there was none yet. */
export async function findRateAt(
  tx: Tx,
  merchant: Subject,
  agoMs: number,
): Promise<Pick<ExchangeRate, "buy" | "mid" | "sell"> | undefined> {
  const row = await findRate(tx, merchant, agoMs);
  return row && { buy: BigInt(row.buy), mid: BigInt(row.mid), sell: BigInt(row.sell) };
}

/** Returns the rate of a merchant for a screen, and whether it is the merchant's own. Undefined where no rate is valid. */
export async function findCurrentRate({ merchant }: MerchantContext): Promise<(ExchangeRate & { isOwn: boolean }) | undefined> {
  const row = await findRate(db(), merchant);
  return row?.is_valid ? { ...toExchangeRate(row), isOwn: row.is_own } : undefined;
}

/** Returns the rate for a merchant's exchanges now. Throws PROVIDER_UNAVAILABLE where no rate is valid. */
export async function currentRate(tx: Tx | Database, merchant: Subject): Promise<ExchangeRate> {
  const row = await findRate(tx, merchant);
  if (!row?.is_valid) {
    const message = row
      ? "The exchange rate for US dollars is past its validity. Try again once there is a new one."
      : `No exchange rate for US dollars has been set in ${merchant.mode} mode. Ask support for one.`;
    throw new Problem("PROVIDER_UNAVAILABLE", message);
  }
  return toExchangeRate(row);
}

/**
 * Returns the current rate, or the one that expired last, for money that moves without our decision. Throws an Error if no rate was ever
 * set.
 */
export async function lastRate(tx: Tx | Database, merchant: Subject): Promise<ExchangeRate> {
  const row = await findRate(tx, merchant);
  if (!row) throw new Error(`there was never an exchange rate for ${merchant.id}`);
  return toExchangeRate(row);
}
