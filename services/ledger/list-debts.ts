import { sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import { RECEIVABLE } from "./accounts.ts";
import { type Purpose, purposeOf, type RawPurpose, withPurpose } from "./purpose.ts";

const MAX_ENTRIES = 50;

/** An entry of the receivable, with the record that the wallet could not cover, or whose money paid the debt. */
export interface DebtEntry extends Purpose {
  /** The id of the ledger transfer. */
  id: string;
  seq: bigint;
  change: "raised" | "paid";
  amount: Money;
  /** The debt after this entry. */
  owedAfter: Money;
  createdAt: Date;
}

export interface Debts {
  /** The wallet's `owed` at the time of the list. */
  owed: Money;
  /** Newest first. The newest one's `owedAfter` is `owed`. */
  entries: DebtEntry[];
  hasMore: boolean;
}

/**
 * Returns the merchant's debt, and the latest 50 entries that raised or paid it. Reads both in one statement, so that they are of one moment.
 * Reads the entries of the receivable, which are much fewer than the wallet's.
 */
export async function listDebts({ merchant }: MerchantContext): Promise<Debts> {
  const query = sql();
  const latest = query`
    select t.* from ledger_entries t where t.merchant_id = ${merchant.id} and t.account = ${RECEIVABLE} order by t.seq desc limit ${MAX_ENTRIES + 1}`;
  const rows = await query<(RawEntry | RawNoEntry)[]>`
    select a.posted_debits - a.posted_credits as owed, e.* from ledger_accounts a
    left join (${withPurpose(query, merchant.id, latest)}) e on true
    where a.merchant_id = ${merchant.id} and a.account = ${RECEIVABLE}
    order by e.seq desc`;
  const [first] = rows;
  if (!first) throw new Error(`merchant ${merchant.id} has no ${RECEIVABLE}`);
  const found = rows.flatMap((row) => (row.transfer_id === null ? [] : [entryFrom(row)]));
  return { owed: money(first.owed, "NGN"), entries: found.slice(0, MAX_ENTRIES), hasMore: found.length > MAX_ENTRIES };
}

interface RawEntry extends RawPurpose {
  owed: bigint;
  transfer_id: string;
  seq: bigint;
  side: "credit" | "debit";
  posted: bigint;
  balance_after: bigint;
  created_at: string;
}

/** The row of a merchant that has never owed anything. */
interface RawNoEntry {
  owed: bigint;
  transfer_id: null;
}

function entryFrom(row: RawEntry): DebtEntry {
  const unit = row.currency ?? "NGN";
  return {
    ...purposeOf(row),
    id: row.transfer_id,
    seq: row.seq,
    change: row.side === "debit" ? "raised" : "paid",
    amount: money(row.posted, unit),
    owedAfter: money(row.balance_after, unit),
    createdAt: new Date(row.created_at),
  };
}
