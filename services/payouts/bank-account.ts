import type { bankAccounts } from "#db/schema/payouts.ts";
import { type Actor, actorOf } from "../context.ts";

export type BankAccountRow = typeof bankAccounts.$inferSelect;

/** An account of the merchant at a bank. `waiting`: until `usableAt`. `deciding`: an operator decides whether the owner is the business. */
export interface BankAccount
  extends Pick<
    BankAccountRow,
    "merchantId" | "id" | "provider" | "bankCode" | "bankName" | "accountNumber" | "accountName" | "usableAt" | "createdAt" | "removedAt"
  > {
  state: "active" | "waiting" | "deciding" | "removed";
  madeBy: Actor;
}

export function bankAccountFromRow(row: BankAccountRow, now = new Date()): BankAccount {
  const { merchantId, id, provider, bankCode, bankName, accountNumber, accountName, usableAt, createdAt, removedAt } = row;
  return {
    ...{ merchantId, id, provider, bankCode, bankName, accountNumber, accountName, usableAt, createdAt, removedAt },
    state: stateOf(row, now),
    madeBy: actorOf(row.madeBy),
  };
}

function stateOf({ removedAt, awaitsDecision, usableAt }: BankAccountRow, now: Date): BankAccount["state"] {
  if (removedAt !== null) return "removed";
  if (awaitsDecision) return "deciding";
  return usableAt > now ? "waiting" : "active";
}

/** Returns a number without all but its last four digits, as answers and screens show it. */
export const maskedNumber = (accountNumber: string): string => `${"*".repeat(accountNumber.length - 4)}${accountNumber.slice(-4)}`;
