import { sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { leastIdAt } from "#lib/ids.ts";
import { type Money, money } from "#lib/money.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { Merchant } from "../../context.ts";
import { WALLET } from "../../ledger/index.ts";
import type { PayoutLimits } from "./limits.ts";

export interface Payable {
  /** Naira of the wallet that are not held. */
  available: Money;
  /** Naira that payment links brought within the operator's delay. They are available, and cannot be paid out yet. */
  fresh: Money;
  /** Naira that can be paid out now. */
  payable: Money;
}

/** The clocks of a process that made an id and of the database differ by less than this. */
const MAX_CLOCKS_APART_MS = 5 * MINUTE_MS;

/** Returns how much of a wallet can be paid out now. Money of links counts from when it was credited. */
export async function readPayable(tx: Tx | Database, { id }: Pick<Merchant, "id">, { delayMs }: PayoutLimits): Promise<Payable> {
  const least = leastIdAt("bankTransfer", Date.now() - delayMs - MAX_CLOCKS_APART_MS);
  const [row] = await tx.execute<{ available: bigint; fresh: string; refunded: string }>(sql`
    select a.available, (
      select coalesce(sum(b.amount), 0) from bank_transfers b
      where b.merchant_id = ${id} and b.id >= ${least} and b.disposition = 'accepted' and b.created_at > now() - ${delayMs} * interval '1 ms'
    )::text as fresh, (
      select coalesce(sum(least(b.amount, r.amount)), 0) from (
        select transfer_id, sum(amount) as amount from refunds
        where merchant_id = ${id} and transfer_id >= ${least} and status in ('needs_account', 'processing', 'paid') group by transfer_id
      ) r join bank_transfers b on b.merchant_id = ${id} and b.id = r.transfer_id
      where b.disposition = 'accepted' and b.created_at > now() - ${delayMs} * interval '1 ms'
    )::text as refunded
    from ledger_accounts a where a.merchant_id = ${id} and a.account = ${WALLET}`);
  if (!row) throw new Error(`merchant ${id} has no wallet`);
  const available = BigInt(row.available);
  // Refunds have left the wallet, or are held in it.
  const fresh = delayMs === 0 ? 0n : BigInt(row.fresh) - BigInt(row.refunded);
  const payable = available > fresh ? available - fresh : 0n;
  return { available: money(available, "NGN"), fresh: money(fresh, "NGN"), payable: money(payable, "NGN") };
}
