import { sql } from "#db/client.ts";
import { type Course, courseTo, type PayoutState } from "./payouts.ts";
import { findTransfer } from "./transfers.ts";

export interface RefundRow {
  reference: string;
  serial: bigint;
  session_id: string;
  /** Kobo. */
  amount: bigint;
  state: PayoutState;
}

type NewRefund = Pick<RefundRow, "reference" | "session_id" | "amount">;

/** Returns the course of a refund by the sender's account, where a payer has named one. */
const courseOf = (account: string | null): Course => (account === null ? { state: "paid" } : courseTo(account));

/**
 * Takes an order, at `sandbox` alone. A repeated reference returns the first order. Returns undefined for money that the bank does not have any more, and
 * beyond the amount of the transfer.
 */
export async function takeRefund({ reference, session_id, amount }: NewRefund): Promise<RefundRow | undefined> {
  const transfer = await findTransfer("sandbox", session_id);
  if (!transfer) return undefined;
  const { state, later } = courseOf(transfer.sender_account);
  return sql().begin(async (tx) => {
    const [known] = await tx<RefundRow[]>`select * from sandbox.refunds where reference = ${reference}`;
    if (known) return known;
    await tx`select from sandbox.bank_transfers where session_id = ${session_id} for update`;
    const [row] = await tx<RefundRow[]>`
      insert into sandbox.refunds (reference, session_id, amount, state, next_state, due_at)
      select ${reference}, session_id, ${String(amount)}::text::bigint, ${state}, ${later?.state ?? null},
        ${later ? tx`now() + ${later.afterMs} * interval '1 ms'` : null}
      from sandbox.bank_transfers t
      where t.session_id = ${session_id} and t.rejection is null and t.returned_at is null and t.amount >= ${String(amount)}::text::bigint + (
        select coalesce(sum(r.amount), 0) from sandbox.refunds r where r.session_id = t.session_id and r.state in ('queued', 'paid'))
      on conflict do nothing returning *`;
    return row ?? (await findRefund(reference));
  });
}

export async function findRefund(reference: string): Promise<RefundRow | undefined> {
  const [row] = await sql()<RefundRow[]>`select * from sandbox.refunds where reference = ${reference}`;
  return row;
}

/** Moves due refunds to their next state, and queues a notice of each. */
export async function carryOutRefunds(): Promise<void> {
  await sql()`
    with changed as (
      update sandbox.refunds set state = next_state, next_state = null, due_at = null
      where reference in (select reference from sandbox.refunds where due_at <= now() order by due_at limit 100 for update skip locked)
      returning *
    )
    insert into sandbox.notices (notice_id, path, body)
    select 'rfd_' || r.reference || '_' || r.state, '/api/providers/sandbox/notices', jsonb_build_object('refund_of', a.reference, 'state', r.state)
    from changed r join sandbox.bank_transfers t on t.session_id = r.session_id join sandbox.bank_accounts a on a.account_number = t.account_number`;
}
