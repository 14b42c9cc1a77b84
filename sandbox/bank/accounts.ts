import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { accountNumberFrom, SANDBOX_BANK_NAME } from "./nuban.ts";

/** The two banks of test mode. `sandbox` tells everything in signed notices; `sandbox-plain` does little, tells little, and is read instead. */
export type House = "sandbox" | "sandbox-plain";

export interface SandboxAccount {
  house: House;
  reference: string;
  accountNumber: string;
  accountName: string;
  kobo: bigint;
  openedAt: Date;
  closesAt: Date;
  isPaid: boolean;
}

export interface AccountRow {
  house: House;
  reference: string;
  account_number: string;
  account_name: string;
  amount: bigint;
  opened_at: string;
  closes_at: string;
  paid_by_session: string | null;
}

const toAccount = (row: AccountRow): SandboxAccount => ({
  house: row.house,
  reference: row.reference,
  accountNumber: row.account_number,
  accountName: row.account_name,
  kobo: row.amount,
  openedAt: new Date(row.opened_at),
  closesAt: new Date(row.closes_at),
  isPaid: row.paid_by_session !== null,
});

/** Opens an account for one exact amount. Returns the existing account of the reference, if there is one, and whether it is new. */
export async function openAccount(request: {
  house: House;
  reference: string;
  kobo: string;
  title: string;
  validForMs: number;
}): Promise<{ account: SandboxAccount; isNew: boolean }> {
  const known = await findAccount(request.house, request.reference);
  if (known) return { account: known, isNew: false };
  const [next] = await sql()<{ serial: bigint }[]>`select nextval('sandbox.bank_account_serial') as serial`;
  const inserted = await sql()`
    insert into sandbox.bank_accounts (house, reference, account_number, account_name, amount, closes_at)
    values (${request.house}, ${request.reference}, ${accountNumberFrom(next?.serial ?? 0n)}, ${request.title}, ${request.kobo}::bigint, now() + ${request.validForMs} * interval '1 ms')
    on conflict do nothing returning 1`;
  const opened = await findAccount(request.house, request.reference);
  if (!opened) throw new Error("the account that was just opened is gone");
  return { account: opened, isNew: inserted.length > 0 };
}

/** Returns the account of a reference at a bank. */
export async function findAccount(house: House, reference: string): Promise<SandboxAccount | undefined> {
  if (!/^[\w-]{1,100}$/.test(reference)) return undefined;
  const [row] = await sql()<AccountRow[]>`select * from sandbox.bank_accounts where reference = ${reference} and house = ${house}`;
  return row && toAccount(row);
}

/** Closes an account: transfers from now on are late. */
export async function closeAccount(house: House, reference: string): Promise<void> {
  await sql()`update sandbox.bank_accounts set closes_at = least(closes_at, now()) where house = ${house} and reference = ${reference}`;
}

export const describeAccount = (account: SandboxAccount) => ({
  reference: account.reference,
  kobo: String(account.kobo),
  account_no: account.accountNumber,
  account_title: account.accountName,
  bank: SANDBOX_BANK_NAME,
  opened_at: account.openedAt.toISOString(),
  page: `${settings().BASE_URL}/sandbox/bank/checkout/${account.reference}`,
});
