import type { Sql } from "#db/client.ts";
import type { Fragment } from "../list-window.ts";

/**
 * Returns a query of rows with the state of their purchases. A row whose purchase exists counts as bought, even if a worker died before
 * it marked the row, and as failed once the money is back. `present_amount` is null if the product is no longer sold.
 */
export const rowsWithPurchases = (query: Sql, merchantId: string, condition: Fragment): Fragment => query`
  select r.merchant_id, r.bulk_order_id, r.row, r.cells, r.recipient, r.product_id, r.product_name, r.network, r.variant,
    r.duplicate_of, r.allow_duplicate, coalesce(p.amount, r.amount) as amount, coalesce(r.message, p.failure_reason) as message,
    case when p.status in ('failed', 'reversed') then 'failed' when p.id is not null then 'bought' else r.status::text end as status,
    case when d.withdrawn_at is null then coalesce(d.selling_price, r.amount) end as present_amount,
    p.id as purchase_id, p.status as purchase_status, p.completed_at,
    case when p.status = 'processing' then 0 else p.amount - p.charged end as refunded
  from bulk_rows r
  left join purchases p on p.merchant_id = ${merchantId} and p.id = r.purchase_id
  left join products d on d.id = r.product_id
  where r.merchant_id = ${merchantId} and ${condition}`;
