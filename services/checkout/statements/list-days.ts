import { sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import { lagosDay } from "#lib/time.ts";
import type { OperatorContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import type { Difference } from "./compare-day.ts";

/** A day at a bank. `lines` of its statement, or accounts of ours; `matched` of them, or read to their end; `open` differences. */
export interface BankDay {
  provider: string;
  /** `2026-11-28`, in Lagos. */
  day: string;
  /** Null where it was not compared. */
  source: "statement" | "accounts" | null;
  lines: number;
  matched: number;
  open: number;
  readAt: Date | null;
}

export interface ListedDifference {
  sessionId: string;
  direction: "in" | "out";
  kind: Difference["kind"];
  accountReference: string | null;
  here: Money | null;
  there: Money | null;
  explanation: string | null;
}

/** Days of each bank that are listed without differences. */
const DAYS_BACK = 14;

/**
 * Returns the last 14 days of each bank, and all days with open differences, newest first. A day that was not compared since the bank's first one has
 * no `source`.
 */
export const listBankDays = verb({ actor: ["operator"], operatorRole: "viewer" }, async (_ctx: OperatorContext): Promise<BankDay[]> => {
  const rows = await sql()<(Omit<BankDay, "readAt"> & { readAt: string | null })[]>`
    with first as (
      select provider, greatest(min(day), ${today()}::date - ${DAYS_BACK}::int) as since from bank_days group by provider
    ), wanted as (
      select provider, generate_series(since, ${today()}::date - 1, interval '1 day')::date as day from first
      union select provider, day from statement_differences where explained_at is null
    )
    select w.provider, to_char(w.day, 'YYYY-MM-DD') as day, d.source, coalesce(d.lines, 0) as lines, coalesce(d.matched, 0) as matched, d.read_at as "readAt", (
      select count(*)::int from statement_differences s where s.provider = w.provider and s.day = w.day and s.explained_at is null
    ) as open
    from wanted w left join bank_days d on d.provider = w.provider and d.day = w.day order by w.day desc, w.provider`;
  return rows.map((row) => ({ ...row, readAt: row.readAt === null ? null : new Date(row.readAt) }));
});

const today = () => lagosDay(new Date());

/** Returns one day at a bank, or undefined if it was not compared. */
export const findBankDay = verb(
  { actor: ["operator"], operatorRole: "viewer" },
  async (_ctx: OperatorContext, provider: string, day: string): Promise<Pick<BankDay, "source" | "lines" | "matched"> | undefined> => {
    const [row] = await sql()<Pick<BankDay, "source" | "lines" | "matched">[]>`
      select source, lines, matched from bank_days where provider = ${provider} and to_char(day, 'YYYY-MM-DD') = ${day}`;
    return row;
  },
);

const MAX_DIFFERENCES = 500;

/** Returns the differences of a day (`2026-11-28`) at a bank, open ones first: at most 500, and how many there are. */
export const listDifferences = verb(
  { actor: ["operator"], operatorRole: "viewer" },
  async (_ctx: OperatorContext, provider: string, day: string): Promise<{ listed: ListedDifference[]; count: number }> => {
    const rows = await sql()<(Omit<ListedDifference, "here" | "there"> & { here: bigint | null; there: bigint | null; count: number })[]>`
      select session_id as "sessionId", direction, kind, account_reference as "accountReference", amount_here as here, amount_there as there, explanation,
        count(*) over ()::int as count
      from statement_differences where provider = ${provider} and to_char(day, 'YYYY-MM-DD') = ${day}
      order by explained_at is not null, session_id, direction limit ${MAX_DIFFERENCES}`;
    const toMoney = (minor: bigint | null) => (minor === null ? null : money(minor, "NGN"));
    const listed = rows.map(({ count: _, ...row }) => ({ ...row, here: toMoney(row.here), there: toMoney(row.there) }));
    return { listed, count: rows[0]?.count ?? 0 };
  },
);
