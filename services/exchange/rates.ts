import { sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { Merchant } from "../context.ts";

/** Naira for a dollar, in ten-thousandths. We buy dollars at `buy` and sell them at `sell`; the spread is counted from `mid`. */
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
}

const toExchangeRate = ({ buy, mid, sell, valid_until }: RateRow): ExchangeRate => ({ buy, mid, sell, validUntil: new Date(valid_until) });

/** The latest rate of the merchant's own that is valid, else the platform's; without one, the last that was. */
async function findRate(tx: Tx | Database, { id, mode }: Subject): Promise<RateRow | undefined> {
  const [row] = await tx.execute<RateRow>(sql`
    select buy, mid, sell, valid_until, valid_until > now() as is_valid from exchange_rates
    where merchant_id in (${id}, ${`mer_platform_${mode}`}) and valid_from <= now()
    order by valid_until > now() desc,
      case when valid_until > now() then (merchant_id = ${id})::int else 0 end desc,
      case when valid_until > now() then valid_from else valid_until end desc,
      id desc
    limit 1`);
  return row;
}

/** The rate that a merchant deals at now. Throws PROVIDER_UNAVAILABLE where it is past its validity. */
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

/** For money that moves whether we like it or not: the current rate, or the last one. Throws an Error where there never was any. */
export async function lastRate(tx: Tx | Database, merchant: Subject): Promise<ExchangeRate> {
  const row = await findRate(tx, merchant);
  if (!row) throw new Error(`there was never an exchange rate for ${merchant.id}`);
  return toExchangeRate(row);
}
