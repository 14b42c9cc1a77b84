import { sql } from "#db/client.ts";
import { newReference } from "#lib/ids.ts";
import { naira } from "#lib/money.ts";
import { until } from "#testing/until.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import { sandboxBankFor } from "../../providers/index.ts";
import { aLink } from "../checkout.fixture.ts";
import { findLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import type { RefundRow, RefundStatus } from "../refund.ts";
import { accountToken } from "./account-link.ts";
import { createRefund } from "./create-refund.ts";
import { findRefundRow, type RefundKey } from "./refund-rows.ts";

interface Paid {
  amount?: number;
  email?: string | null;
  senderName?: string;
  /** Ten digits, whose end decides what becomes of refunds at `sandbox`. */
  senderAccount?: string;
}

/** Each has an address of its own, because one is asked for accounts a few times a day. */
let customers = 0;

/** Returns a link that a payer has paid at the merchant's test bank. */
export async function aPaidLink(
  shop: TestMerchant,
  { amount = 5_000, email = `customer-${++customers}@example.com`, senderName = "Chidi Eze", senderAccount }: Paid = {},
): Promise<PaymentLink> {
  const link = await aLink(shop, { amount, customer_email: email ?? undefined });
  const transfer = { accountNumber: link.accountNumber, amount: link.amount, senderName, senderAccount };
  await sandboxBankFor(shop.merchant).makeTransfer({ ...transfer, sessionId: newReference(), madeAt: null });
  return until(async () => {
    const now = await linkNow(link);
    return now.status === "success" && now;
  });
}

export async function linkNow({ merchantId, reference }: Pick<PaymentLink, "merchantId" | "reference">): Promise<PaymentLink> {
  const link = await findLinkByReference(merchantId, reference);
  if (!link) throw new Error(`no link ${reference}`);
  return link;
}

/** Stores a refund of a link whose payer's account is not known, and returns its row with the token of the mailed link. */
export async function aWaitingRefund(
  shop: TestMerchant,
  link: PaymentLink,
  amount?: number,
): Promise<{ refund: RefundRow; token: string }> {
  const { id } = await createRefund(shop.ctx, { reference: link.reference, ...(amount !== undefined && { amount: naira(amount) }) });
  const refund = await refundNow({ merchantId: shop.merchant.id, id });
  return { refund, token: accountToken(refund) };
}

export async function refundNow(key: RefundKey): Promise<RefundRow> {
  const row = await findRefundRow(key);
  if (!row) throw new Error(`no refund ${key.id}`);
  return row;
}

/** Waits until a refund has this status, and returns it. Throws after 20 s. */
export const refundThatIs = (status: RefundStatus, key: RefundKey): Promise<RefundRow> =>
  until(async () => {
    const row = await refundNow(key);
    return row.status === status && row;
  }, 20_000);

/** Makes a refund due to be read. */
export async function makeRefundDue({ merchantId, id }: RefundKey): Promise<void> {
  await sql()`update refunds set next_attempt_at = now() - interval '1 second' where merchant_id = ${merchantId} and id = ${id}`;
}

/** Makes a refund one hour older and due. By that age its bank would know it if it had received it. */
export async function letRefundAge({ merchantId, id }: RefundKey): Promise<void> {
  await sql()`
    update refunds set ordered_at = ordered_at - interval '1 hour', next_attempt_at = now() - interval '1 second'
    where merchant_id = ${merchantId} and id = ${id}`;
}

/** Returns how often test banks were ordered to refund, or to pay out for a refund, for a merchant. */
export async function refundOrdersAt({ merchant }: TestMerchant): Promise<number> {
  const [row] = await sql()<{ orders: number }[]>`
    select count(*)::int as orders from (select reference from sandbox.refunds union all select reference from sandbox.payouts) s
    where exists (select from refunds f where f.merchant_id = ${merchant.id} and lower(f.id) = s.reference)`;
  return row?.orders ?? 0;
}
