import { sql } from "#db/client.ts";
import { lagosDay } from "#lib/time.ts";
import { WALLET } from "./accounts.ts";
import { firstEntrySince, MAX_OUT_OF_ORDER_MS } from "./first-entry-since.ts";

/** Returns the month in Lagos: `2026-11`. */
export const monthOf = (time: Date): string => lagosDay(time).slice(0, 7);

/** Returns the first moment of a month in Lagos. Nigeria keeps UTC+1 all year. */
export const startOfMonth = (month: string): Date => new Date(`${month}-01T00:00:00+01:00`);

export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number === 12 ? `${String(year + 1).padStart(4, "0")}-01` : `${month.slice(0, 5)}${String(number + 1).padStart(2, "0")}`;
}

/**
 * Returns the number of the first entry of the wallet whose time is at or after a moment, or undefined if none up to `last` is.
 *
 * Months of a statement begin with these numbers and not with times, because times go back within the sequence: an entry has the time at
 * which its transaction began. An entry that began before midnight and got its number after the first entry of the new month belongs to the
 * new month. So each entry is in exactly one month, and a month closes with the balance with which the next one opens. The number never
 * changes once it is found: entries are appended, and become visible in the order of their numbers.
 *
 * The binary search alone could find another number at each reading, where times go back. It finds the beginning of the minute in which the
 * number is, and the entries of this minute are then read in order.
 */
export async function firstNumberSince(merchantId: string, moment: Date, last: bigint): Promise<bigint | undefined> {
  const from = await firstEntrySince(merchantId, WALLET, new Date(moment.getTime() - MAX_OUT_OF_ORDER_MS));
  const [row] = await sql()<{ seq: bigint }[]>`
    select seq from ledger_entries
    where merchant_id = ${merchantId} and account = ${WALLET} and seq >= ${String(from)}::bigint and seq <= ${String(last)}::bigint
      and created_at >= ${moment.toISOString()}
    order by seq limit 1`;
  return row?.seq;
}
