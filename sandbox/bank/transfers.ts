import { createHash } from "node:crypto";
import type { TransactionSql } from "postgres";
import { sql } from "#db/client.ts";
import { sendNotice } from "../notices.ts";
import type { AccountRow, House } from "./accounts.ts";

/** Faults of a transfer's notices: sent more than once, or later. */
export interface NoticeFaults {
  copies: number;
  delayMs: number;
}

interface IncomingTransfer {
  session: string;
  accountNumber: string;
  kobo: string;
  from: string;
  /** The ten digits of the sender's account, if the payer has named it. */
  fromAccount?: string | null;
  /** Null means now. */
  madeAt: Date | null;
  faults: NoticeFaults;
}

/** The session belongs to another transfer, of another amount or to another account. */
export class SessionTaken extends Error {
  override name = "SessionTaken";
}

/** Takes a transfer, keeps it or sends it back, and notifies Oja. A repeated session is the same transfer with new notices. Throws `SessionTaken`. */
export async function takeTransfer(transfer: IncomingTransfer): Promise<void> {
  const noticeIds = await sql().begin(async (tx) => {
    const [account] = await tx<(AccountRow & { judged_at: string })[]>`
      select *, coalesce(${transfer.madeAt?.toISOString() ?? null}::timestamptz(3), now()::timestamptz(3)) as judged_at
      from sandbox.bank_accounts where account_number = ${transfer.accountNumber} for update`;
    const madeAt = account?.judged_at ?? transfer.madeAt?.toISOString() ?? new Date().toISOString();
    if (account && (await isFull(tx, account))) return [];
    const rejection = account ? rejectionOf(account, { kobo: BigInt(transfer.kobo), madeAt: new Date(madeAt) }) : null;
    await tx`
      insert into sandbox.bank_transfers (session_id, account_number, amount, sender_name, sender_account, made_at, rejection, returned_at)
      values (${transfer.session}, ${transfer.accountNumber}, ${transfer.kobo}::bigint, ${transfer.from}, ${transfer.fromAccount ?? null}, ${madeAt}, ${rejection}, ${rejection ? madeAt : null})
      on conflict do nothing`;
    const [stored] = await tx<TransferRow[]>`${withAccount(tx)} where t.session_id = ${transfer.session}`;
    if (!stored) throw new Error("the transfer that was just taken is gone");
    if (stored.account_number !== transfer.accountNumber || String(stored.amount) !== transfer.kobo) throw new SessionTaken();
    if (account && !stored.rejection) {
      await tx`update sandbox.bank_accounts set paid_by_session = ${stored.session_id} where account_number = ${account.account_number} and paid_by_session is null`;
    }
    return queueNotices(tx, stored, transfer.faults);
  });
  // Notices without a delay are sent at once. The sandbox's clock sends the others, and those that fail here.
  if (transfer.faults.delayMs === 0) for (const noticeId of noticeIds) await sendNotice(noticeId);
}

/** The second bank does not tell Oja of every transfer, so Oja cannot limit how many anybody makes. This bank ignores more than these. */
const MAX_TRANSFERS = 50;

async function isFull(tx: TransactionSql<{ bigint: bigint }>, { house, account_number }: AccountRow): Promise<boolean> {
  if (house === "sandbox") return false;
  const rows = await tx`select from sandbox.bank_transfers where account_number = ${account_number} limit ${MAX_TRANSFERS}`;
  return rows.length === MAX_TRANSFERS;
}

type Rejection = "duplicate" | "late" | "underpaid" | "overpaid";

function rejectionOf(account: AccountRow, { kobo, madeAt }: { kobo: bigint; madeAt: Date }): Rejection | null {
  if (account.paid_by_session !== null) return "duplicate";
  if (madeAt >= new Date(account.closes_at)) return "late";
  if (kobo < account.amount) return "underpaid";
  if (kobo > account.amount) return "overpaid";
  return null;
}

export interface TransferRow {
  session_id: string;
  account_number: string;
  amount: bigint;
  sender_name: string;
  sender_account: string | null;
  made_at: string;
  rejection: Rejection | "recalled" | null;
  returned_at: string | null;
  /** Of the account. A transfer to a number that no account has belongs to `sandbox`, which names the account by the number. */
  house: House;
  reference: string;
}

/** Selects transfers `t` as `TransferRow`. */
const withAccount = (query: Pick<ReturnType<typeof sql>, "unsafe">) =>
  query.unsafe(`
    select t.*, coalesce(a.house, 'sandbox') as house, coalesce(a.reference, t.account_number) as reference
    from sandbox.bank_transfers t left join sandbox.bank_accounts a on a.account_number = t.account_number`);

/** A notice that is sent at once belongs to its sender for this long. After that the sandbox's clock sends it. */
const LEASE_MS = 5_000;

/** Where all senders have their accounts. */
const SENDERS_BANK = "Other Bank (test)";

/** Returns the last four digits of a sender's account. A sender has one account. */
const lastFourOf = (sender: string) => String(createHash("sha256").update(sender).digest().readUInt32BE() % 10_000).padStart(4, "0");

/** Returns the content of the newest notice of `sandbox` about a transfer. */
export const noticeOf = (row: TransferRow) => ({
  id: row.rejection === "recalled" ? `ntc_${row.session_id}_recalled` : `ntc_${row.session_id}`,
  session: row.session_id,
  reference: row.reference,
  account_no: row.account_number,
  kobo: String(row.amount),
  from: row.sender_name,
  from_bank: SENDERS_BANK,
  from_account_last4: row.sender_account?.slice(-4) ?? lastFourOf(row.sender_name),
  made_at: new Date(row.made_at).toISOString(),
  sent_back: row.rejection,
});

/** What `sandbox-plain` sends back without a word, and does not list. */
const UNTOLD: TransferRow["rejection"][] = ["late", "duplicate"];

/** Returns whether the bank of a transfer tells anything about it. */
export const isTold = ({ house, rejection }: TransferRow) => house === "sandbox" || !UNTOLD.includes(rejection);

/** Returns the notice of a transfer: where it goes and what it says. `sandbox-plain` says only that an account has changed. */
const envelopeOf = (row: TransferRow) =>
  row.house === "sandbox"
    ? { id: noticeOf(row).id, path: "/api/providers/sandbox/notices", body: noticeOf(row) }
    : {
        id: `plain_${row.session_id}`,
        path: "/api/providers/sandbox-plain/notices",
        body: { event: "account.changed", ref: row.reference },
      };

/** Returns all transfers to an account, oldest first. */
export const listTransfers = async (accountNumber: string): Promise<TransferRow[]> =>
  sql()<TransferRow[]>`${withAccount(sql())} where t.account_number = ${accountNumber} order by t.created_at, t.session_id`;

/** Returns what moved on a day in Lagos: a transfer that came and went back has two lines. */
export async function listMovements(
  house: House,
  day: string,
): Promise<{ session: string; reference: string; way: string; kobo: string }[]> {
  return sql()<{ session: string; reference: string; way: string; kobo: string }[]>`
    with t as (${withAccount(sql())}), within as (
      select (${day}::date)::timestamp at time zone 'Africa/Lagos' as since, (${day}::date + 1)::timestamp at time zone 'Africa/Lagos' as before
    )
    select session_id as session, reference, 'in' as way, amount::text as kobo from t, within
    where house = ${house} and made_at >= since and made_at < before
    union all
    select session_id, reference, 'out', amount::text from t, within where house = ${house} and returned_at >= since and returned_at < before
    order by 1, 3`;
}

async function queueNotices(
  tx: TransactionSql<{ bigint: bigint }>,
  row: TransferRow,
  { copies, delayMs }: NoticeFaults,
): Promise<bigint[]> {
  if (!isTold(row)) return [];
  const { id, path, body } = envelopeOf(row);
  const queued = await tx<{ id: bigint }[]>`
    insert into sandbox.notices (notice_id, path, body, next_attempt_at)
    select ${id}, ${path}, ${JSON.stringify(body)}::text::jsonb, now() + ${delayMs || LEASE_MS} * interval '1 ms' from generate_series(1, ${copies})
    returning id`;
  return queued.map(({ id: queuedId }) => queuedId);
}

/** Returns the transfer of a session of a bank. */
export async function findTransfer(house: House, session: string): Promise<TransferRow | undefined> {
  const [transfer] = await sql()<TransferRow[]>`${withAccount(sql())} where t.session_id = ${session}`;
  return transfer?.house === house ? transfer : undefined;
}

/** Sends kept money back, once. Returns false for an unknown session of the bank. */
export async function returnTransfer(house: House, session: string): Promise<boolean> {
  if (!(await findTransfer(house, session))) return false;
  await sql()`update sandbox.bank_transfers set returned_at = coalesce(returned_at, now()) where session_id = ${session}`;
  return true;
}

/** Takes back a kept transfer of which Oja was notified, and notifies Oja. Returns false if there is no such kept transfer. */
export async function recallTransfer(session: string): Promise<boolean> {
  const noticeIds = await sql().begin(async (tx) => {
    const recalled = await tx`
      update sandbox.bank_transfers set rejection = 'recalled', returned_at = now() where session_id = ${session} and rejection is null returning 1`;
    if (recalled.length === 0) return undefined;
    const [row] = await tx<TransferRow[]>`${withAccount(tx)} where t.session_id = ${session}`;
    return row && queueNotices(tx, row, { copies: 1, delayMs: 0 });
  });
  for (const noticeId of noticeIds ?? []) await sendNotice(noticeId);
  return noticeIds !== undefined;
}
