import { sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { TenantContext } from "../context.ts";
import { rowOf } from "../list-window.ts";
import { WALLET } from "./accounts.ts";
import { ADJUSTMENT } from "./purpose.ts";
import type { Statement } from "./read-statement.ts";

/** Entries that one query reads: far fewer than it may read within its 30 seconds, also on a busy machine. */
const PER_QUERY = 20_000n;
/** An entry costs about 20 µs, because its type is a lookup of its transfer. With more entries a page would wait for more than two seconds. */
export const MAX_SUMMED = 100_000n;

/** The sum and count of the entries in one direction. */
interface Sum {
  count: number;
  amount: Money;
}

export interface TypeSum {
  /** The type, as in `listWalletTransactions`. */
  type: string;
  in: Sum;
  out: Sum;
}

export interface StatementSums {
  in: Sum;
  out: Sum;
  /** By type, in alphabetical order. */
  types: TypeSum[];
}

interface Row {
  type: string;
  side: "credit" | "debit";
  count: bigint;
  kobo: bigint;
}

/**
 * Returns the sums in and out of a statement: opening + in - out is closing, to the kobo. Reads every entry of the month. Returns
 * undefined for a month with more than `MAX_SUMMED` entries, which would take too long for a page. The CSV file has those entries.
 */
export async function sumStatement(
  { merchant }: TenantContext,
  { numbers }: Pick<Statement, "numbers">,
): Promise<StatementSums | undefined> {
  if (numbers.end - numbers.first > MAX_SUMMED) return undefined;
  const rows: Row[] = [];
  for (let from = numbers.first; from < numbers.end; from += PER_QUERY) {
    rows.push(...(await sumsBetween(merchant.id, from, from + PER_QUERY < numbers.end ? from + PER_QUERY : numbers.end)));
  }
  const types = [...new Set(rows.map(({ type }) => type))].toSorted();
  const ofType = types.map((name) => ({ type: name, ...sumsOf(rows.filter(({ type }) => type === name)) }));
  return { ...sumsOf(rows), types: ofType };
}

/** The purpose of an entry is looked up alone, because a join may be planned for a whole ledger (docs/decisions/0013). */
const sumsBetween = (merchantId: string, first: bigint, end: bigint, query = sql()) => query<Row[]>`
  select type, side, count(*) as count, sum(posted)::bigint as kobo
  from (
    select t.side, t.posted, coalesce(
      (select x.meta->>'type' from (${rowOf(query, merchantId, { table: "ledger_transfers", column: "id", is: query`t.transfer_id` })}) x), ${ADJUSTMENT}) as type
    from ledger_entries t
    where t.merchant_id = ${merchantId} and t.account = ${WALLET} and t.seq >= ${String(first)}::bigint and t.seq < ${String(end)}::bigint
      and t.posted <> 0
  ) typed
  group by type, side`;

const sumsOf = (rows: Row[]): Omit<TypeSum, "type"> => ({ in: sumOf(rows, "credit"), out: sumOf(rows, "debit") });

function sumOf(rows: Row[], side: Row["side"]): Sum {
  const those = rows.filter((row) => row.side === side);
  const total = (read: (row: Row) => bigint) => those.reduce((sum, row) => sum + read(row), 0n);
  return {
    count: Number(total(({ count }) => count)),
    amount: money(
      total(({ kobo }) => kobo),
      "NGN",
    ),
  };
}
