import { type Sql, sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../context.ts";
import { type Fragment, rowOf } from "../list-window.ts";
import { WALLET } from "./accounts.ts";
import { HOLD_SUFFIX } from "./hold-key.ts";
import { type Purpose, purposeOf, type RawPurpose, withPurpose } from "./purpose.ts";

const MAX_HOLDS = 100;

/** Money of the wallet that is set aside for a purchase, a card operation, a payout or a refund whose outcome is not known yet. */
export interface Hold extends Purpose {
  /** The id of the ledger transfer. */
  id: string;
  amount: Money;
  createdAt: Date;
}

export interface Holds {
  /** Sorted by the id of their purchase, card operation, payout or refund, newest first. */
  holds: Hold[];
  hasMore: boolean;
  /** The wallet's `held` at the time of the list. */
  held: Money;
  /** Whether the amounts of `holds` add up to `held`. False if there are more holds, or one for something else. */
  isComplete: boolean;
}

/**
 * Returns the latest 100 open holds of the wallet. A hold is open exactly while its purchase, card operation, payout or refund is `processing`, or its refund needs an account, so the partial
 * indexes on these find the holds without reading the merchant's transfers. Reads holds and `held` in one statement, so that both are of
 * one moment.
 */
export async function listHolds({ merchant }: MerchantContext): Promise<Holds> {
  const query = sql();
  const rows = await query<(RawHold | RawNoHold)[]>`
    select a.pending_debits as held, h.* from ledger_accounts a
    left join (${withPurpose(query, merchant.id, openHolds(query, merchant.id))}) h on true
    where a.merchant_id = ${merchant.id} and a.account = ${WALLET}
    order by h.made desc`;
  const [first] = rows;
  if (!first) throw new Error(`merchant ${merchant.id} has no wallet`);
  const found = rows.flatMap((row) => (row.transfer_id === null ? [] : [holdFrom(row)]));
  const holds = found.slice(0, MAX_HOLDS);
  const sum = holds.reduce((total, { amount }) => total + amount.minor, 0n);
  return { holds, hasMore: found.length > MAX_HOLDS, held: money(first.held, "NGN"), isComplete: sum === first.held };
}

/**
 * Returns a query of the newest holds, one more than a list has. The parts of the ids after their prefixes sort by time. Only issues and
 * fundings hold money of the wallet. The lookup of a transfer has a limit, so that no plan can join it (docs/decisions/0013).
 */
const openHolds = (query: Sql, merchantId: string): Fragment => query`
  select x.merchant_id, x.id as transfer_id, x.amount, x.created_at, p.made from (
    select p.id, split_part(p.id, '_', 2) as made from (
      (select t.id from purchases t where t.merchant_id = ${merchantId} and t.status = 'processing' order by t.id desc limit ${MAX_HOLDS + 1})
      union all
      (select t.id from card_operations t where t.merchant_id = ${merchantId} and t.status = 'processing'
        and t.type in ('issue', 'fund') and t.wallet_amount > 0 order by t.id desc limit ${MAX_HOLDS + 1})
      union all
      (select t.id from payouts t where t.merchant_id = ${merchantId} and t.status = 'processing' order by t.id desc limit ${MAX_HOLDS + 1})
      union all
      (select t.id from refunds t where t.merchant_id = ${merchantId} and t.status in ('needs_account', 'processing')
        order by t.id desc limit ${MAX_HOLDS + 1})
    ) p order by made desc limit ${MAX_HOLDS + 1}
  ) p
  cross join lateral (
    select * from (${rowOf(query, merchantId, { table: "ledger_transfers", column: "key", is: query`p.id || ${HOLD_SUFFIX}` })}) x
    where x.result = 'posted' and x.kind = 'hold' and x.debit_account = ${WALLET}
  ) x
  where (
    select r.id from ledger_transfers r where r.merchant_id = ${merchantId} and r.resolves_id = x.id and r.result = 'posted' limit 1
  ) is null`;

interface RawHold extends RawPurpose {
  held: bigint;
  transfer_id: string;
  amount: bigint;
  created_at: string;
}

/** The row of a wallet without holds. */
interface RawNoHold {
  held: bigint;
  transfer_id: null;
}

const holdFrom = (row: RawHold): Hold => ({
  ...purposeOf(row),
  id: row.transfer_id,
  amount: money(row.amount, row.currency ?? "NGN"),
  createdAt: new Date(row.created_at),
});
