import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import type { LinkRow } from "../payment-link.ts";

/** Stores `count` links of a merchant at equal distances of time up to `until`, as if they had been made then. Returns their ids, oldest first. */
export async function storeLinks(
  merchantId: string,
  {
    count,
    everyMs,
    until = new Date(),
    status = () => "expired",
  }: { count: number; everyMs: number; until?: Date; status?: (n: number) => LinkRow["status"] },
): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, n) => {
    const at = until.getTime() - (count - 1 - n) * everyMs;
    return { id: newId("paymentLink", at), at: new Date(at).toISOString(), status: status(n), amount: 100_00 + n };
  });
  await sql()`
    insert into payment_links (merchant_id, id, reference, amount, status, provider, provider_reference, account_number, account_name, bank_name,
      checkout_url, paid_at, made_by, created_at, expires_at)
    select ${merchantId}, r.id, r.id, r.amount, r.status::link_status, 'sandbox', r.id, '0', 'x', 'x', 'x',
      case when r.status = 'success' then r.at end, 'system:test', r.at, r.at + interval '30 minutes'
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id text, at timestamptz, status text, amount bigint)`;
  return rows.map(({ id }) => id);
}
