import { sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import { parsed } from "#lib/parsed.ts";
import { Problem } from "#lib/problem.ts";
import type { TenantContext } from "../context.ts";
import { WALLET } from "./accounts.ts";
import { StatementQuery } from "./contract.ts";
import { MAX_OUT_OF_ORDER_MS } from "./first-entry-since.ts";
import type { EntryNumbers } from "./list-wallet-transactions.ts";
import { firstNumberSince, monthAfter, monthOf, startOfMonth } from "./statement-month.ts";

/** The wallet in one month in Lagos. */
export interface Statement {
  month: string;
  /** The balance before the first entry of the month. */
  opening: Money;
  /** The balance after its last entry; of the running month, after the last one until now. */
  closing: Money;
  /** Whether the month can get no further entry. */
  isClosed: boolean;
  /** Its entries: `listWalletTransactions` reads them by these numbers. Later entries are not among them. */
  numbers: EntryNumbers;
}

/** Returns the months of which the wallet has a statement, newest first: from its first entry to now. A wallet without an entry has this month. */
export async function listStatementMonths({ merchant }: TenantContext, now = new Date()): Promise<string[]> {
  const [first] = await sql()<{ created_at: string }[]>`
    select created_at from ledger_entries where merchant_id = ${merchant.id} and account = ${WALLET} and seq = 1`;
  const newest = monthOf(now);
  const months = [first ? monthOf(new Date(first.created_at)) : newest];
  for (let month = months[0] ?? newest; month < newest; ) {
    month = monthAfter(month);
    months.push(month);
  }
  return months.reverse();
}

/**
 * Returns the statement of a month (`2026-10`). Entries do not change, so balances and numbers are of one moment although they are read one
 * by one. Reads about a hundred entries, however many there are. Throws VALIDATION_ERROR for text that is no month, and RESOURCE_NOT_FOUND for
 * a month before the wallet's first entry or after now.
 */
export async function readStatement(ctx: TenantContext, asked: string, now = new Date()): Promise<Statement> {
  const { month } = parsed(StatementQuery, { month: asked });
  const months = await listStatementMonths(ctx, now);
  if (!months.includes(month))
    throw new Problem("RESOURCE_NOT_FOUND", `There are statements of ${months.at(-1)} to ${months[0]}. Choose a month from these.`);
  const { id } = ctx.merchant;
  const last = await lastNumberOf(id);
  const end = startOfMonth(monthAfter(month));
  const [first = last + 1n, next] = await Promise.all([firstNumberSince(id, startOfMonth(month), last), firstNumberSince(id, end, last)]);
  const numbers = { first, end: next ?? last + 1n };
  const [opening, closing] = await Promise.all([balanceBefore(id, numbers.first), balanceBefore(id, numbers.end)]);
  // The month closes only after the longest transaction, because one that began in it may still get its number.
  const isClosed = next !== undefined || now.getTime() >= end.getTime() + MAX_OUT_OF_ORDER_MS;
  return { month, opening, closing, isClosed, numbers };
}

async function lastNumberOf(merchantId: string): Promise<bigint> {
  const [account] = await sql()<{ seq: bigint }[]>`
    select seq from ledger_accounts where merchant_id = ${merchantId} and account = ${WALLET}`;
  if (!account) throw new Error(`merchant ${merchantId} has no wallet`);
  return account.seq;
}

/** Returns the wallet's balance after the entry before a number. */
async function balanceBefore(merchantId: string, seq: bigint): Promise<Money> {
  const [entry] = await sql()<{ balance_after: bigint }[]>`
    select balance_after from ledger_entries
    where merchant_id = ${merchantId} and account = ${WALLET} and seq = ${String(seq - 1n)}::bigint`;
  return money(entry?.balance_after ?? 0n, "NGN");
}
