import { sql } from "#db/client.ts";
import { newReference } from "#lib/ids.ts";
import { type Money, naira } from "#lib/money.ts";
import { newLinkReference } from "#lib/references.ts";
import type { BankNotice } from "#providers/bank.ts";
import { numberOf, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { CreatePaymentLink } from "./contract.ts";
import { createPaymentLink } from "./links/create-payment-link.ts";
import { expireLink } from "./links/expire-links.ts";
import type { PaymentLink } from "./payment-link.ts";
import type { TransferNotice } from "./transfers/arrival.ts";
import { receiveTransfer } from "./transfers/receive-transfer.ts";

export const aLink = ({ ctx }: TestMerchant, fields: Record<string, unknown> = {}): Promise<PaymentLink> =>
  createPaymentLink(ctx, CreatePaymentLink.parse({ amount: 5_000, ...fields }));

/** A notice that tells amount and time. */
interface FullNotice extends TransferNotice {
  receivedAt: Date;
}

/** Returns the bank's notice of a transfer that it kept: by default of the exact amount, taken now. */
export function noticeOf(link: PaymentLink, changes: Partial<FullNotice> = {}): FullNotice {
  const sessionId = changes.sessionId ?? newReference();
  return {
    noticeId: `ntc_${sessionId}`,
    sessionId,
    accountReference: link.reference,
    accountNumber: link.accountNumber,
    amount: link.amount,
    senderName: "Chidi Eze",
    senderBank: "Other Bank (test)",
    senderAccountLast4: "4021",
    receivedAt: new Date(),
    returnedBecause: null,
    ...changes,
  };
}

/** Stores a transfer at the sandbox bank as kept. The bank confirms the return of stored transfers only. */
export async function keepAtSandboxBank({ sessionId, accountNumber, amount }: TransferNotice): Promise<void> {
  await sql()`
    insert into sandbox.bank_transfers (session_id, account_number, amount, sender_name, made_at)
    values (${sessionId}, ${accountNumber}, ${String(amount.minor)}::text::bigint, 'x', now())`;
}

export const hear = (notice: BankNotice) => receiveTransfer("sandbox", notice);

/** Moves a link's creation and expiry into the past. Returns its expiry, which is `byMs` ago. */
export async function makeOverdue({ merchantId, id }: PaymentLink, byMs = 1_000): Promise<Date> {
  const [row] = await sql()<{ expires_at: string }[]>`
    update payment_links set created_at = created_at - interval '30 minutes' - ${byMs} * interval '1 ms', expires_at = now() - ${byMs} * interval '1 ms'
    where merchant_id = ${merchantId} and id = ${id} returning expires_at`;
  if (!row) throw new Error("no such link");
  return new Date(row.expires_at);
}

/** Returns an expired link, and a notice of a transfer that the bank took just before the expiry. */
export async function anExpiredLink(shop: TestMerchant, fields: Record<string, unknown> = {}) {
  const link = await aLink(shop, fields);
  const expiresAt = await makeOverdue(link);
  await expireLink(link.merchantId, link.id);
  return { link, late: noticeOf(link, { receivedAt: new Date(expiresAt.getTime() - 1) }) };
}

/** Returns the balance of the wallet, in Naira. */
export async function walletOf({ merchant }: TestMerchant): Promise<Money> {
  const [row] = await sql()<{ balance: bigint }[]>`
    select posted_credits - posted_debits as balance from ledger_accounts where merchant_id = ${merchant.id} and account = 'wallet'`;
  return { ...naira(0), minor: row?.balance ?? -1n };
}

/** Returns the types of all events of a merchant, oldest first. */
export async function eventTypesOf({ merchant }: TestMerchant): Promise<string[]> {
  const rows = await sql()<{ type: string }[]>`select type from events where merchant_id = ${merchant.id} order by sequence`;
  return rows.map(({ type }) => type);
}

/** Returns the posted balance of a ledger account in minor units. It is positive on the account's normal side. */
export async function accountBalance(merchantId: string, account: string): Promise<bigint> {
  const [row] = await sql()<{ balance: bigint }[]>`
    select case when normal_side = 'credit' then posted_credits - posted_debits else posted_debits - posted_credits end as balance
    from ledger_accounts where merchant_id = ${merchantId} and account = ${account}`;
  if (!row) throw new Error(`no account ${account}`);
  return row.balance;
}

/** Copies a link and its transfers to live mode, because tests have no live bank that could create it. Returns the copy's reference. */
export async function aLiveReference(
  { liveMerchantId }: Pick<TestMerchant, "liveMerchantId">,
  { id }: Pick<PaymentLink, "id">,
): Promise<string> {
  const reference = newLinkReference(await numberOf(liveMerchantId));
  await sql()`insert into payment_links select * from jsonb_populate_record(null::payment_links, (
    select to_jsonb(l) || jsonb_build_object('merchant_id', ${liveMerchantId}::text, 'reference', ${reference}::text) from payment_links l where id = ${id}))`;
  await copyTransfersToLive({ liveMerchantId }, { id });
  return reference;
}

/** Copies to the live link the transfers that it does not have yet. */
export async function copyTransfersToLive(
  { liveMerchantId }: Pick<TestMerchant, "liveMerchantId">,
  { id }: Pick<PaymentLink, "id">,
): Promise<void> {
  await sql()`insert into bank_transfers select (jsonb_populate_record(null::bank_transfers,
    to_jsonb(t) || jsonb_build_object('merchant_id', ${liveMerchantId}::text))).* from bank_transfers t where link_id = ${id} and merchant_id <> ${liveMerchantId}
    on conflict do nothing`;
}
