import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "#db/client.ts";
import { bankAccounts } from "#db/schema/payouts.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext, OperatorContext } from "../../context.ts";
import { type BankAccount, type BankAccountRow, bankAccountFromRow } from "../bank-account.ts";
import { isBankAccount } from "../rows.ts";

/** Returns the row, for verbs of this service. */
export async function findAccountRow(key: Pick<BankAccountRow, "merchantId" | "id">): Promise<BankAccountRow | undefined> {
  const [row] = await db().select().from(bankAccounts).where(isBankAccount(key));
  return row;
}

/** Returns the merchant's accounts that are not removed, oldest first. There are at most 20. */
export async function listBankAccounts({ merchant }: MerchantContext): Promise<BankAccount[]> {
  const rows = await db()
    .select()
    .from(bankAccounts)
    .where(and(eq(bankAccounts.merchantId, merchant.id), isNull(bankAccounts.removedAt)))
    .orderBy(asc(bankAccounts.id));
  return rows.map((row) => bankAccountFromRow(row));
}

/** Returns an account, also a removed one. Throws RESOURCE_NOT_FOUND. */
export async function getBankAccount({ merchant }: MerchantContext, id: string): Promise<BankAccount> {
  const row = await findAccountRow({ merchantId: merchant.id, id });
  if (!row) throw notFound("bank account");
  return bankAccountFromRow(row);
}

/** Returns the accounts of all merchants about which an operator decides, oldest first: at most 200. */
export async function listAccountsToDecide(_ctx: OperatorContext): Promise<BankAccount[]> {
  const rows = await db()
    .select()
    .from(bankAccounts)
    .where(and(eq(bankAccounts.awaitsDecision, true), isNull(bankAccounts.removedAt)))
    .orderBy(asc(bankAccounts.createdAt))
    .limit(MAX_ROWS);
  return rows.map((row) => bankAccountFromRow(row));
}

const MAX_ROWS = 200;
