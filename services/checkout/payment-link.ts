import { type Money, money } from "#lib/money.ts";

export type Classification = "exact" | "underpaid" | "overpaid" | "late" | "duplicate";

/** `recalled`: it was accepted, and the bank took it back. */
export type Disposition = "accepted" | "returned" | "recalled";

export interface BankTransfer {
  amount: Money;
  classification: Classification;
  disposition: Disposition;
  senderName: string | null;
  sessionId: string;
  receivedAt: Date;
  /** Of one that is returned: whether the bank says that it has sent it back. */
  sentBack: boolean;
}

export interface PaymentLink {
  merchantId: string;
  id: string;
  reference: string;
  orderNo: string;
  amount: Money;
  description: string | null;
  customerName: string | null;
  customerEmail: string | null;
  callbackUrl: string | null;
  metadata: Record<string, string>;
  status: "pending" | "success" | "expired";
  accountNumber: string;
  accountName: string;
  bankName: string;
  checkoutUrl: string;
  paidAt: Date | null;
  recalledAt: Date | null;
  createdAt: Date;
  expiresAt: Date;
  transfers: BankTransfer[];
  /** Pending, and its time is over by the database's clock. */
  isDue: boolean;
}

/** A row of `readLinks`. The driver leaves times as text (Drizzle asks it to) and JSON amounts as text too. */
export interface LinkRow {
  merchant_id: string;
  id: string;
  reference: string;
  amount: bigint;
  description: string | null;
  customer_name: string | null;
  customer_email: string | null;
  callback_url: string | null;
  metadata: Record<string, string>;
  status: PaymentLink["status"];
  account_number: string;
  account_name: string;
  bank_name: string;
  checkout_url: string;
  paid_at: string | null;
  recalled_at: string | null;
  created_at: string;
  expires_at: string;
  is_due: boolean;
  transfers: TransferRow[];
}

interface TransferRow {
  amount: string;
  classification: Classification;
  disposition: Disposition;
  sender_name: string | null;
  session_id: string;
  received_at: string;
  sent_back: boolean;
}

export function toPaymentLink(row: LinkRow): PaymentLink {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    reference: row.reference,
    orderNo: orderNoOf(row.id),
    amount: money(row.amount, "NGN"),
    description: row.description,
    customerName: row.customer_name,
    customerEmail: row.customer_email,
    callbackUrl: row.callback_url,
    metadata: row.metadata,
    status: row.status,
    accountNumber: row.account_number,
    accountName: row.account_name,
    bankName: row.bank_name,
    checkoutUrl: row.checkout_url,
    paidAt: row.paid_at === null ? null : new Date(row.paid_at),
    recalledAt: row.recalled_at === null ? null : new Date(row.recalled_at),
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
    isDue: row.is_due,
    transfers: row.transfers.map((transfer) => ({
      amount: money(BigInt(transfer.amount), "NGN"),
      classification: transfer.classification,
      disposition: transfer.disposition,
      senderName: transfer.sender_name,
      sessionId: transfer.session_id,
      receivedAt: new Date(transfer.received_at),
      sentBack: transfer.sent_back,
    })),
  };
}

/** The order number is the link's id without its prefix: unique, sorted by time, and it gives away no count. */
export const orderNoOf = (linkId: string) => linkId.slice(linkId.indexOf("_") + 1);

/** The ledger's key of what a bank transfer moved when it came. */
export const ledgerKeyOf = (transferId: string) => `bank_transfer:${transferId}`;
