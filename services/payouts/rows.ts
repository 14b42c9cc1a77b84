import { and, eq, max, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { bankAccounts, type payoutFees, type payoutRules, payouts } from "#db/schema/payouts.ts";
import { merchants } from "#db/schema/tenants.ts";
import { notFound } from "#lib/problem.ts";
import type { BankAccountRow } from "./bank-account.ts";
import type { PayoutRow } from "./payout.ts";

export type PayoutKey = Pick<PayoutRow, "merchantId" | "id">;

export const isPayout = ({ merchantId, id }: PayoutKey) => and(eq(payouts.merchantId, merchantId), eq(payouts.id, id));
export const isBankAccount = ({ merchantId, id }: Pick<BankAccountRow, "merchantId" | "id">) =>
  and(eq(bankAccounts.merchantId, merchantId), eq(bankAccounts.id, id));

export async function findPayoutRow(key: PayoutKey, reader: Tx | Database = db()): Promise<PayoutRow | undefined> {
  const [row] = await reader.select().from(payouts).where(isPayout(key));
  return row;
}

/** A merchant whose payouts and rules nobody else changes until the transaction ends. */
export interface LockedMerchant {
  id: string;
  mode: "test" | "live";
  isSuspended: boolean;
  /**
   * The time after the lock, in whole milliseconds. `now()` of a transaction that has waited for the lock is older than changes that others made
   * meanwhile.
   */
  at: Date;
}

/** Locks the merchant, so that its payouts and its rules change one after the other. Lock it before the ledger's accounts. */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<LockedMerchant> {
  const [merchant] = await tx
    .select({ status: merchants.status, mode: merchants.mode })
    .from(merchants)
    .where(eq(merchants.id, merchantId))
    .for("no key update");
  if (!merchant) throw new Error(`no merchant ${merchantId}`);
  const [clock] = await tx.execute<{ at: string }>(sql`select date_trunc('milliseconds', clock_timestamp()) as at`);
  if (!clock) throw new Error("the database has no clock");
  return { id: merchantId, mode: merchant.mode, isSuspended: merchant.status === "suspended", at: new Date(clock.at) };
}

/** Returns an account, removed ones too, and keeps it from changing until the transaction ends. Throws RESOURCE_NOT_FOUND. */
export async function holdBankAccount(tx: Tx, merchantId: string, id: string): Promise<BankAccountRow> {
  const [row] = await tx.select().from(bankAccounts).where(isBankAccount({ merchantId, id })).for("share");
  if (!row) throw notFound("bank account");
  return row;
}

/**
 * Returns when a row of a table becomes valid that begins at a time, in a table whose rows are valid from a time: a millisecond after the last of the
 * merchant, if two changes come within one. It is read before the insert, because a cluster takes no query within the values of an insert.
 */
export async function validFromAfterLast(
  tx: Tx,
  table: typeof payoutFees | typeof payoutRules,
  merchantId: string,
  from: Date,
): Promise<Date> {
  const [row] = await tx
    .select({ last: max(table.validFrom) })
    .from(table)
    .where(eq(table.merchantId, merchantId));
  return new Date(Math.max(from.getTime(), row?.last ? row.last.getTime() + 1 : 0));
}
