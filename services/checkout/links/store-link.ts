import { newId } from "#lib/ids.ts";
import type { OneTimeAccount } from "#providers/bank.ts";
import { type MerchantContext, madeBy } from "../../context.ts";
import { READ_AFTER_END_MS } from "../account-schedule.ts";
import type { CreatePaymentLink } from "../contract.ts";
import { LINK_VALID_FOR_MS, type PaymentLink } from "../payment-link.ts";
import { findStoredLink, linkFromRaw, type RawLink, run } from "../rows.ts";

const UNIQUE_VIOLATION = "23505";

/** The one-time account that a bank has opened, with the reference of the link that it is for. */
export interface Opened {
  reference: string;
  provider: string;
  /** Our reference for the account at the bank. */
  accountReference: string;
  account: OneTimeAccount;
  /** The link that the new one replaces. */
  replaced: PaymentLink | undefined;
}

const storing = (marked: string) => `
  with opening as (
    select case when $18 then least($19::text::timestamptz, now()) else now() end as opened_at
  ), marked as (
    ${marked}
  ), link as (
    insert into payment_links (merchant_id, id, reference, amount, description, customer_name, customer_email, callback_url, metadata,
      provider, provider_reference, account_number, account_name, bank_name, checkout_url, replaces, first_link_id, made_by, created_at, expires_at)
    select $1, $2, $3, $4::text::bigint, $5, $6, $7, $8, $9::text::jsonb, $10, $11, $12, $13, $14, $15, replaces, first_link_id, $16,
      opened_at, opened_at + $17 * interval '1 ms'
    from opening, marked returning *
  ), account as (
    insert into one_time_accounts (provider, account_reference, account_number, merchant_id, link_id, next_read_at)
    select $10, $11, $12, $1, $2, expires_at + ${READ_AFTER_END_MS[0]} * interval '1 ms' from link
  )
  select *, expires_at <= now() as is_due, null::text as paid_by, '[]'::json as transfers from link`;

const STORE = storing("select null::text as replaces, null::text as first_link_id");
const STORE_REPLACING = storing(`
    update payment_links l set replaced_by = $3
    from (select id, order_paid_by from payment_links where merchant_id = $1 and id = $21 for update) first
    where l.merchant_id = $1 and l.id = $20 and l.status = 'expired' and l.replaced_by is null and first.order_paid_by is null
    returning l.reference as replaces, first.id as first_link_id`);

/**
 * Stores the link and the directory row of its account in one statement, which is one commit. If an earlier attempt began the link, its time counts
 * from the opening of the account. With `replaced`, the statement first locks the first link of its chain, and marks that link as replaced. A payment
 * of any link of the chain takes the same lock: the later of the two sees the earlier. Returns undefined if the reference is stored already, or
 * if the order is paid or another link has replaced the link.
 */
export async function storeLink(
  ctx: MerchantContext,
  request: CreatePaymentLink,
  { reference, provider, accountReference, account, replaced }: Opened,
): Promise<PaymentLink | undefined> {
  const { merchant, resumed = false } = ctx;
  // Lists find links by the time in their ids. So if an earlier attempt began the link, the id has the time of that attempt.
  const linkId = newId("paymentLink", resumed ? Math.min(account.openedAt.getTime(), Date.now()) : Date.now());
  const { amount, description = null, customer_name = null, customer_email = null, callback_url = null, metadata = {} } = request;
  const parameters = [
    ...[merchant.id, linkId, reference, String(amount.minor), description, customer_name, customer_email, callback_url],
    ...[JSON.stringify(metadata), provider, accountReference, account.accountNumber, account.accountName, account.bankName],
    ...[account.checkoutUrl, madeBy(ctx), LINK_VALID_FOR_MS, resumed, account.openedAt.toISOString()],
  ];
  const stored = replaced
    ? run<RawLink>(STORE_REPLACING, [...parameters, replaced.id, replaced.firstLinkId ?? replaced.id])
    : run<RawLink>(STORE, parameters);
  const [row] = await stored.catch((error) => unlessStored(error, merchant.id, reference));
  return row && linkFromRaw(row);
}

/**
 * Resolves to no row if another attempt has stored the reference, which the unique constraint refuses. (`on conflict` would search first,
 * which costs every link a search. In a partition the constraint has another name.)
 */
async function unlessStored(error: unknown, merchantId: string, reference: string): Promise<[]> {
  const isConflict = error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
  if (isConflict && (await findStoredLink(merchantId, reference))) return [];
  throw error;
}
