import { sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { OperatorContext } from "../context.ts";

export interface Suspended {
  merchantId: string;
  id: string;
  /** `unmatched`: money for no known account. `return`: refused money that the bank has not confirmed to have sent back. The rest: `suspense_items`. */
  kind: "unmatched" | "return" | "kept_by_issuer" | "returned_by_issuer";
  amount: Money;
  /** What it is about: a bank's session, or a card. */
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

/** Everything that stands in suspense, of all merchants, oldest first. */
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
