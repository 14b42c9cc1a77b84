import { sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { OperatorContext } from "../../context.ts";
import { verb } from "../../verb.ts";

/** A day at a bank. `lines` of its statement, or accounts of ours; `matched` of them, or read to their end; `open` differences. */
export interface BankDay {
  provider: string;
  /** `2026-11-28`, in Lagos. */
  day: string;
  source: "statement" | "accounts";
  lines: number;
  matched: number;
  open: number;
  readAt: Date;
}

export interface ListedDifference {
  sessionId: string;
  direction: "in" | "out";
  kind: "missing_here" | "missing_there" | "amount_differs";
  accountReference: string | null;
  here: Money | null;
  there: Money | null;
  explanation: string | null;
}

/** Returns the latest days of all banks, newest first. */
export const listBankDays = verb({ actor: ["operator"] }, async (_ctx: OperatorContext, limit: number = 60): Promise<BankDay[]> => {
  const rows = await sql()<(Omit<BankDay, "readAt"> & { readAt: string })[]>`
    select provider, day::text, source, lines, matched, read_at as "readAt", (
      select count(*)::int from statement_differences s where s.provider = d.provider and s.day = d.day and s.explained_at is null
    ) as open
    from bank_days d order by day desc, provider limit ${limit}`;
  return rows.map((row) => ({ ...row, readAt: new Date(row.readAt) }));
});

const MAX_DIFFERENCES = 500;

/** Returns the differences of a day at a bank, open ones first: at most 500. */
export const listDifferences = verb(
  { actor: ["operator"] },
  async (_ctx: OperatorContext, provider: string, day: string): Promise<ListedDifference[]> => {
    const rows = await sql()<(Omit<ListedDifference, "here" | "there"> & { here: bigint | null; there: bigint | null })[]>`
      select session_id as "sessionId", direction, kind, account_reference as "accountReference", amount_here as here, amount_there as there, explanation
      from statement_differences where provider = ${provider} and day = ${day}::date
      order by explained_at is not null, session_id, direction limit ${MAX_DIFFERENCES}`;
    const toMoney = (minor: bigint | null) => (minor === null ? null : money(minor, "NGN"));
    return rows.map((row) => ({ ...row, here: toMoney(row.here), there: toMoney(row.there) }));
  },
);
