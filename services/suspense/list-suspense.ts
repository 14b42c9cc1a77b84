import { sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { OperatorContext } from "../context.ts";

export interface Suspended {
  merchantId: string;
  id: string;
  /**
   * `unmatched`: money for an unknown account. `return`: refused money whose return the bank has not confirmed. The other two:
   * `suspense_items`.
   */
  kind: "unmatched" | "return" | "kept_by_issuer" | "returned_by_issuer";
  amount: Money;
  /** The bank session (`provider session`), or the card's id. */
  about: string;
  createdAt: Date;
}

interface Row {
  merchant_id: string;
  id: string;
  kind: Suspended["kind"];
  amount: bigint;
  currency: Money["currency"];
  about: string;
  created_at: string;
}

const MAX_ROWS = 500;

/** Returns the money in suspense of all merchants, oldest first: at most 500 rows. */
export async function listSuspense(_ctx: OperatorContext): Promise<Suspended[]> {
  const rows = await sql()<Row[]>`
    select merchant_id, id, case when disposition = 'suspended' then 'unmatched' else 'return' end as kind, amount, currency,
      provider || ' ' || session_id as about, created_at
    from bank_transfers where disposition = 'suspended' or return_state = 'owed'
    union all
    select merchant_id, id, kind::text, open, 'USD', card_id, created_at from suspense_items where open <> 0
    order by created_at limit ${MAX_ROWS}`;
  return rows.map(({ merchant_id: merchantId, id, kind, amount, currency, about, created_at }) => ({
    merchantId,
    id,
    kind,
    amount: money(amount, currency),
    about,
    createdAt: new Date(created_at),
  }));
}
