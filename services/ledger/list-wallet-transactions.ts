import { type Sql, sql } from "#db/client.ts";
import { OPENS_SPEND_NEWEST } from "#db/schema/spend.ts";
import { type Currency, type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import { beyond, type CreatedRange, type Fragment, findRows, inOrder } from "../list-window.ts";
import { type Page, type PageRequest, readPage, type Window } from "../pagination.ts";
import { WALLET } from "./accounts.ts";
import { firstEntrySince, MAX_OUT_OF_ORDER_MS } from "./first-entry-since.ts";

/** The thing whose money moved. */
export interface Related {
  type: "payment_link" | "card" | "card_operation" | "card_transaction" | "purchase";
  id: string;
  /** The name by which merchant and provider know it, if it has one. */
  reference: string | null;
  /** Of an operation or of spend. */
  cardId: string | null;
}

export interface WalletTransaction {
  id: string;
  seq: bigint;
  type: string;
  reference: string | null;
  /** Null for an adjustment. */
  related: Related | null;
  direction: "credit" | "debit";
  amount: Money;
  balanceAfter: Money;
  createdAt: Date;
}

export interface WalletQuery extends PageRequest, CreatedRange {
  type?: string | undefined;
  direction?: WalletTransaction["direction"] | undefined;
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
  // Not a fragment: awaiting a part of a query would run it.
  const seqs = await seqsOf(merchantId, request);
  return findRows({
    query,
    window,
    column: SEQ,
    looked: (max) => query`
      select t.* from ledger_entries t
      where t.merchant_id = ${merchantId} and t.account = ${WALLET} ${createdIn(query, request, seqs)} ${beyond(query, window, SEQ)}
      ${inOrder(query, window, SEQ)} limit ${max}`,
    // An entry that posts nothing is a hold's.
    passes: query`t.posted <> 0 ${direction ? query`and t.side = ${direction}` : query``} ${type ? isOfType(query, type) : query``}`,
    read: async (found) => (await query<RawEntry[]>`${withPurpose(query, found)} ${inOrder(query, window, SEQ)}`).map(transactionFrom),
  });
}

/** Returns the numbers between which the entries of a range of times are: an index has the numbers, and none has the times. */
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

const isOfType = (query: Sql, type: string): Fragment => query`and ${type} = (
  select coalesce(x.meta->>'type', ${ADJUSTMENT}) from ledger_transfers x where x.merchant_id = t.merchant_id and x.id = t.transfer_id)`;

const ADJUSTMENT = "adjustment";

/**
 * Returns a query of entries with their purpose. A transfer's key begins with the id of the thing that moved the money; the recovery of a debt
 * has the key of the credit that paid it.
 */
const withPurpose = (query: Sql, found: Fragment): Fragment => query`
  select t.seq, t.transfer_id, t.side, t.posted, t.balance_after, t.created_at, x.currency, x.meta, key.name,
    l.link_id, o.card_id as operation_card_id, o.reference as operation_reference, s.card_id as spend_card_id
  from (${found}) t
  join ledger_transfers x on x.merchant_id = t.merchant_id and x.id = t.transfer_id
  cross join lateral (select regexp_replace(x.key, '^(bank_transfer|card_transaction):', '') as rest) prefixed
  cross join lateral (select split_part(prefixed.rest, ':', 1) as name) key
  left join bank_transfers l on l.merchant_id = t.merchant_id and l.id = key.name and key.name like 'btr\\_%'
  left join card_operations o on o.merchant_id = t.merchant_id and o.id = key.name and key.name like 'cop\\_%'
  left join lateral (
    select s.card_id from card_transactions s
    where key.name like 'ctx\\_%' and s.merchant_id = t.merchant_id and s.id = key.name and s.${query.unsafe(OPENS_SPEND_NEWEST)} limit 1
  ) s on true`;

interface RawEntry {
  seq: bigint;
  transfer_id: string;
  side: "credit" | "debit";
  posted: bigint;
  balance_after: bigint;
  created_at: string;
  currency: Currency | null;
  meta: { type?: string; reference?: string };
  /** The first part of the transfer's key. */
  name: string;
  link_id: string | null;
  operation_card_id: string | null;
  operation_reference: string | null;
  spend_card_id: string | null;
}

function transactionFrom(row: RawEntry): WalletTransaction {
  const { type = ADJUSTMENT, reference = null } = row.meta;
  const unit = row.currency ?? "NGN";
  return {
    ...{ id: row.transfer_id, seq: row.seq, type, reference, related: relatedTo(row), direction: row.side },
    ...{ amount: money(row.posted, unit), balanceAfter: money(row.balance_after, unit), createdAt: new Date(row.created_at) },
  };
}

function relatedTo({ name, meta, ...row }: RawEntry): Related | null {
  const reference = meta.reference ?? null;
  switch (name.slice(0, name.indexOf("_"))) {
    case "btr":
      return row.link_id === null ? null : { type: "payment_link", id: row.link_id, reference, cardId: null };
    case "cop":
      return { type: "card_operation", id: name, reference: row.operation_reference, cardId: row.operation_card_id };
    case "ctx":
      return { type: "card_transaction", id: name, reference: null, cardId: row.spend_card_id };
    // A difference with an issuer, which is about a card.
    case "sus":
      return reference === null ? null : { type: "card", id: reference, reference: null, cardId: reference };
    case "vtu":
      return { type: "purchase", id: name, reference: name, cardId: null };
    default:
      return null;
  }
}
