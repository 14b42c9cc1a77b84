import { sql } from "#db/client.ts";

/** An entry of a wallet to store. Entries are numbered in their order. */
export interface StoredEntry {
  at: Date;
  side: "credit" | "debit";
  /** Kobo. A hold has 0. */
  posted: bigint;
  /** Absent for an adjustment. */
  type?: string;
}

/** Appends entries to a wallet with times of their own, as the ledger would have stored them then. Its other accounts stay as they are. */
export async function appendEntries(merchantId: string, entries: readonly StoredEntry[]): Promise<void> {
  const [account] = await sql()<{ seq: bigint; balance: bigint }[]>`
    select seq, posted_credits - posted_debits as balance from ledger_accounts where merchant_id = ${merchantId} and account = 'wallet'`;
  let { seq = 0n, balance = 0n } = account ?? {};
  const rows = entries.map(({ at, side, posted, type }) => {
    balance += side === "credit" ? posted : -posted;
    const row = {
      seq: String(++seq),
      at: at.toISOString(),
      side,
      posted: String(posted),
      balance: String(balance),
      meta: type ? { type } : {},
    };
    return row;
  });
  const stored = sql()`
    jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (seq bigint, at timestamptz, side ledger_side, posted bigint, balance bigint, meta jsonb)`;
  await sql()`
    insert into ledger_transfers (merchant_id, id, key, request_hash, kind, result, debit_account, credit_account, currency, amount, meta, created_at)
    select ${merchantId}, 'ltr_' || r.seq, 'stored:' || r.seq, '', 'post', 'posted', 'wallet', 'suspense', 'NGN', greatest(r.posted, 1), r.meta, r.at from ${stored}`;
  await sql()`
    insert into ledger_entries (merchant_id, account, seq, transfer_id, side, posted, pending, balance_after, created_at)
    select ${merchantId}, 'wallet', r.seq, 'ltr_' || r.seq, r.side, r.posted, case when r.posted = 0 then 1 else 0 end, r.balance, r.at from ${stored}`;
  const sumOf = (side: StoredEntry["side"]) => entries.reduce((sum, entry) => (entry.side === side ? sum + entry.posted : sum), 0n);
  await sql()`
    update ledger_accounts set seq = ${String(seq)}::bigint, posted_credits = posted_credits + ${String(sumOf("credit"))}::bigint,
      posted_debits = posted_debits + ${String(sumOf("debit"))}::bigint
    where merchant_id = ${merchantId} and account = 'wallet'`;
}
