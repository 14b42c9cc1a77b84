import { type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { HAS_CUSTOMER_EMAIL, HAS_CUSTOMER_PHONE, purchases } from "#db/schema/vtu.ts";
import type { MerchantContext } from "../../context.ts";
import type { Fragment } from "../../list-window.ts";
import type { VisiblePurchase } from "../purchase.ts";
import { withheld } from "./show-secrets.ts";

/** The value by which purchases are found. A recipient is as stored, a phone in E.164, an email in any case. */
export type PurchasesBy = { id: string } | { recipient: string } | { customerEmail: string } | { customerPhone: string };

/** Returns the merchant's purchases with this value, newest first, at most `limit`, without tokens and pins. */
export async function findPurchases({ merchant }: MerchantContext, by: PurchasesBy, limit: number): Promise<VisiblePurchase[]> {
  const query = sql();
  const rows = await query`select * from purchases where ${isNamed(query, merchant.id, by)} limit ${limit}`;
  return rows.map((row) => withheld(fromRow(purchases, row)));
}

/** Returns the condition, and the order that its index has. */
function isNamed(query: Sql, merchantId: string, by: PurchasesBy): Fragment {
  if ("id" in by) return query`merchant_id = ${merchantId} and id = ${by.id}`;
  if ("recipient" in by) {
    return query`merchant_id = ${merchantId} and recipient = ${by.recipient} order by created_at desc, id desc`;
  }
  const condition =
    "customerEmail" in by
      ? query`lower(customer ->> 'email') = lower(${by.customerEmail}) and ${query.unsafe(HAS_CUSTOMER_EMAIL)}`
      : query`customer ->> 'phone' = ${by.customerPhone} and ${query.unsafe(HAS_CUSTOMER_PHONE)}`;
  return query`merchant_id = ${merchantId} and ${condition} order by id desc`;
}
