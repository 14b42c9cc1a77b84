import { type Sql, sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import { beyond, type CreatedRange, type Fragment, findRows, inOrder, rowOf } from "../list-window.ts";
import { type Page, type PageRequest, readPage, type Window } from "../pagination.ts";
import { WALLET } from "./accounts.ts";
import { firstEntrySince, MAX_OUT_OF_ORDER_MS } from "./first-entry-since.ts";
import { ADJUSTMENT, type Purpose, purposeOf, type RawPurpose, withPurpose } from "./purpose.ts";

export interface WalletTransaction extends Purpose {
  id: string;
  seq: bigint;
  direction: "credit" | "debit";
  amount: Money;
  balanceAfter: Money;
  createdAt: Date;
}

export interface WalletQuery extends PageRequest, CreatedRange {
  type?: string | undefined;
  direction?: WalletTransaction["direction"] | undefined;
  /** Only entries with these numbers, such as those of a statement. */
  numbers?: EntryNumbers | undefined;
}

/** Entries of an account by their numbers: from `first` on, and before `end`. */
export interface EntryNumbers {
  first: bigint;
  end: bigint;
}

/**
 * Returns one page of posted entries of the wallet, newest first. Holds are not among them: `held` shows those. Throws VALIDATION_ERROR for
 * a bad cursor.
 */
export const listWalletTransactions = ({ merchant }: MerchantContext, request: WalletQuery): Promise<Page<WalletTransaction>> =>
  readPage({
    owner: `${merchant.id}/wallet-transactions`,
    request,
    positionOf: ({ seq }) => String(seq),
    read: (window) => readEntries(merchant.id, request, window),
  });

const SEQ = "t.seq";

async function readEntries(merchantId: string, request: WalletQuery, window: Window) {
  const query = sql();
  const { type, direction } = request;
  // Plain numbers and not a fragment of a query, because awaiting a fragment would run it.
  const seqs = await seqsOf(merchantId, request);
  return findRows({
    query,
    window,
    column: SEQ,
    looked: (max, within) => query`
      select t.* from ledger_entries t
      where t.merchant_id = ${merchantId} and t.account = ${WALLET} ${createdIn(query, request, seqs)} ${numbered(query, request)} ${beyond(query, within, SEQ)}
      ${inOrder(query, window, SEQ)} limit ${max}`,
    // An entry that posts nothing belongs to a hold, so it is left out.
    passes: query`t.posted <> 0 ${direction ? query`and t.side = ${direction}` : query``} ${type ? isOfType(query, merchantId, type) : query``}`,
    read: async (found) =>
      (await query<RawEntry[]>`${withPurpose(query, merchantId, found)} ${inOrder(query, window, SEQ)}`).map(transactionFrom),
  });
}

/** Returns the range of numbers of a range of times, because an index has the numbers and none has the times. */
async function seqsOf(merchantId: string, { created_after: after, created_before: before }: CreatedRange) {
  const [first, end] = await Promise.all([
    after && firstEntrySince(merchantId, WALLET, new Date(after.getTime() - MAX_OUT_OF_ORDER_MS)),
    before && firstEntrySince(merchantId, WALLET, new Date(before.getTime() + MAX_OUT_OF_ORDER_MS)),
  ]);
  return { first, end };
}

/** Returns the conditions of a range of times: on the numbers, and on the exact times. */
const createdIn = (
  query: Sql,
  { created_after: after, created_before: before }: CreatedRange,
  { first, end }: Awaited<ReturnType<typeof seqsOf>>,
): Fragment => query`
  ${after ? query`and t.seq >= ${String(first)}::bigint and t.created_at >= ${after.toISOString()}` : query``}
  ${before ? query`and t.seq < ${String(end)}::bigint and t.created_at < ${before.toISOString()}` : query``}`;

const numbered = (query: Sql, { numbers }: WalletQuery): Fragment =>
  numbers ? query`and t.seq >= ${String(numbers.first)}::bigint and t.seq < ${String(numbers.end)}::bigint` : query``;

const isOfType = (query: Sql, merchantId: string, type: string): Fragment => query`and ${type} = (
  select coalesce(x.meta->>'type', ${ADJUSTMENT}) from (${rowOf(query, merchantId, { table: "ledger_transfers", column: "id", is: query`t.transfer_id` })}) x)`;

/** An entry of an account, as plain SQL reads it. */
export interface EntryRow {
  seq: bigint;
  transfer_id: string;
  side: "credit" | "debit";
  posted: bigint;
  balance_after: bigint;
  created_at: string;
}

/** An entry with its purpose (`withPurpose`). */
export interface RawEntry extends RawPurpose, EntryRow {}

export function transactionFrom(row: RawEntry): WalletTransaction {
  const { type, reference, related } = purposeOf(row);
  const unit = row.currency ?? "NGN";
  return {
    ...{ id: row.transfer_id, seq: row.seq, type, reference, related, direction: row.side },
    ...{ amount: money(row.posted, unit), balanceAfter: money(row.balance_after, unit), createdAt: new Date(row.created_at) },
  };
}
