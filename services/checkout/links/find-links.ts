import { type Sql, sql } from "#db/client.ts";
import type { MerchantContext } from "../../context.ts";
import type { Fragment } from "../../list-window.ts";
import { banks } from "../../providers/index.ts";
import { asItIsNow, type PaymentLink } from "../payment-link.ts";
import { findStoredLink, linkColumns, linkFromRaw, type RawLink } from "../rows.ts";

/** The value by which links are found. */
export type LinksBy =
  | { id: string }
  | { reference: string }
  | { accountNumber: string }
  /** The bank's id of a transfer, in each of its possible notations. */
  | { sessionIds: string[] }
  /** Our id of a bank transfer. */
  | { transferId: string }
  /** In upper or lower case. */
  | { customerEmail: string };

/**
 * Returns the merchant's links with this value, newest first, at most `limit`. A pending link past its expiry counts as expired; nothing is
 * stored.
 */
export async function findLinks({ merchant }: MerchantContext, by: LinksBy, limit: number): Promise<PaymentLink[]> {
  if ("reference" in by) {
    const link = await findStoredLink(merchant.id, by.reference);
    return link ? [asItIsNow(link)] : [];
  }
  const query = sql();
  const rows = await query<RawLink[]>`
    select ${linkColumns(query, merchant.id)} from (${idsOf(query, merchant, by, limit)}) t
    join payment_links l on l.merchant_id = ${merchant.id} and l.id = t.id order by l.id desc limit ${limit}`;
  return rows.map((row) => asItIsNow(linkFromRaw(row)));
}

/** Returns a query of the ids of links. Accounts and sessions go through their directories, whose keys are exact. */
function idsOf(
  query: Sql,
  { id: merchantId, mode }: MerchantContext["merchant"],
  by: Exclude<LinksBy, { reference: string }>,
  limit: number,
): Fragment {
  if ("id" in by) return query`select ${by.id}::text as id`;
  if ("accountNumber" in by) {
    return query`
      select distinct link_id as id from one_time_accounts
      where provider = any(${banks.names(mode)}::text[]) and account_number = ${by.accountNumber} and merchant_id = ${merchantId}`;
  }
  if ("sessionIds" in by) {
    return query`
      select distinct b.link_id as id from bank_sessions s
      join bank_transfers b on b.merchant_id = ${merchantId} and b.id = s.transfer_id
      where s.provider = any(${banks.names(mode)}::text[]) and s.session_id = any(${by.sessionIds}::text[]) and s.merchant_id = ${merchantId}`;
  }
  if ("transferId" in by)
    return query`select link_id as id from bank_transfers where merchant_id = ${merchantId} and id = ${by.transferId}`;
  return query`
    select id from payment_links
    where merchant_id = ${merchantId} and lower(customer_email) = lower(${by.customerEmail}) and customer_email is not null
    order by id desc limit ${limit}`;
}
