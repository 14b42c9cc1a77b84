import { sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { accountNumberFrom, SANDBOX_BANK_NAME } from "./nuban.ts";

export interface SandboxAccount {
  reference: string;
  accountNumber: string;
  accountName: string;
  kobo: bigint;
  openedAt: Date;
  closesAt: Date;
  isPaid: boolean;
}

export interface AccountRow {
  reference: string;
  account_number: string;
  account_name: string;
  amount: bigint;
  opened_at: string;
  closes_at: string;
  paid_by_session: string | null;
}

const toAccount = (row: AccountRow): SandboxAccount => ({
  reference: row.reference,
  accountNumber: row.account_number,
  accountName: row.account_name,
  kobo: row.amount,
  openedAt: new Date(row.opened_at),
  closesAt: new Date(row.closes_at),
  isPaid: row.paid_by_session !== null,
});

/** Opens an account for one exact amount. Returns the existing account of the reference, if there is one. */
export async function openAccount(request: {
  reference: string;
  kobo: string;
  title: string;
  validForMs: number;
}): Promise<SandboxAccount> {
  const known = await findAccount(request.reference);
  if (known) return known;
  const [next] = await sql()<{ serial: bigint }[]>`select nextval('sandbox.bank_account_serial') as serial`;
  await sql()`
    insert into sandbox.bank_accounts (reference, account_number, account_name, amount, closes_at)
    values (${request.reference}, ${accountNumberFrom(next?.serial ?? 0n)}, ${request.title}, ${request.kobo}::bigint, now() + ${request.validForMs} * interval '1 ms')
    on conflict do nothing`;
  const opened = await findAccount(request.reference);
  if (!opened) throw new Error("the account that was just opened is gone");
  return opened;
}

export async function findAccount(reference: string): Promise<SandboxAccount | undefined> {
  if (!/^[\w-]{1,100}$/.test(reference)) return undefined;
  const [row] = await sql()<AccountRow[]>`select * from sandbox.bank_accounts where reference = ${reference}`;
  return row && toAccount(row);
}

/** Closes an account: transfers from now on are late. */
export async function closeAccount(reference: string): Promise<void> {
  await sql()`update sandbox.bank_accounts set closes_at = least(closes_at, now()) where reference = ${reference}`;
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
