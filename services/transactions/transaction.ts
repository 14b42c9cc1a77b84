import type { Money } from "#lib/money.ts";
import {
  type CardInList,
  type CardOperation,
  type CardTransaction,
  directionOf,
  type OperationOfCard,
  type SpendOfCard,
} from "../cards/index.ts";
import type { PaymentLink, Refund, RefundStatus } from "../checkout/index.ts";
import type { Payout, PayoutStatus } from "../payouts/index.ts";
import type { PurchaseStatus, VisiblePurchase } from "../vtu/index.ts";
import type { TransactionState } from "./contract.ts";

interface Common {
  id: string;
  state: TransactionState;
  /** `credit`: money for the wallet, or, for spend, for the card. */
  direction: "credit" | "debit";
  /** The requested amount: Naira, or US dollars of a card. `state` says whether it moved. */
  amount: Money;
  /** When it was created; for spend, the time that its issuer reports. */
  createdAt: Date;
}

/** A record that moved money or tried to, in one of the areas. It never has tokens, pins or a card's number. */
export type Transaction =
  | (Common & Pick<PaymentLink, "reference" | "description" | "customerName" | "customerEmail" | "recalledAt"> & { kind: "payment_link" })
  | (Common &
      Pick<CardOperation, "type" | "reference" | "failureReason" | "walletAmount" | "fee"> & { kind: "card_operation"; card: CardInList })
  | (Common & Pick<CardTransaction, "type" | "merchantName" | "declineReason"> & { kind: "card_spend"; card: CardInList })
  | (Common &
      Pick<Payout, "reference" | "bankName" | "accountNumber" | "accountName" | "fee" | "narration" | "failureReason"> & { kind: "payout" })
  | (Common & Pick<Refund, "paymentReference" | "reason" | "failureReason"> & { kind: "refund" })
  | (Common &
      Pick<VisiblePurchase, "service" | "productName" | "recipient" | "quantity" | "refunded" | "failureReason"> & { kind: "purchase" });

export const STATE_OF_LINK: Record<PaymentLink["status"], TransactionState> = {
  pending: "processing",
  success: "completed",
  expired: "expired",
};
export const STATE_OF_OPERATION: Record<CardOperation["status"], TransactionState> = {
  processing: "processing",
  completed: "completed",
  failed: "failed",
};
export const STATE_OF_SPEND: Record<CardTransaction["status"], TransactionState> = {
  PENDING: "processing",
  COMPLETED: "completed",
  DECLINED: "failed",
  REVERSED: "reversed",
};
export const STATE_OF_PURCHASE: Record<PurchaseStatus, TransactionState> = {
  processing: "processing",
  success: "completed",
  failed: "failed",
  reversed: "reversed",
};

export const STATE_OF_PAYOUT: Record<PayoutStatus, TransactionState> = {
  processing: "processing",
  paid: "completed",
  failed: "failed",
  reversed: "reversed",
};

export const STATE_OF_REFUND: Record<Exclude<RefundStatus, "needs_account" | "processing"> | "open", TransactionState> = {
  open: "processing",
  paid: "completed",
  failed: "failed",
  reversed: "reversed",
};

export const fromLink = (link: PaymentLink): Transaction => {
  const { id, amount, createdAt, reference, description, customerName, customerEmail, recalledAt } = link;
  return {
    ...{ kind: "payment_link", id, state: STATE_OF_LINK[link.status], direction: "credit", amount, createdAt },
    ...{ reference, description, customerName, customerEmail, recalledAt },
  };
};

/** Operations that move a card's dollars to the wallet. */
const GIVES_BACK: readonly CardOperation["type"][] = ["unload", "terminate"];

export const fromOperation = (operation: OperationOfCard): Transaction => {
  const { id, status, amount, createdAt, type, reference, failureReason, walletAmount, fee, card } = operation;
  return {
    ...{
      kind: "card_operation",
      id,
      state: STATE_OF_OPERATION[status],
      direction: GIVES_BACK.includes(type) ? "credit" : "debit",
      amount,
      createdAt,
    },
    ...{ type, reference, failureReason, walletAmount, fee, card },
  };
};

export const fromSpend = (spend: SpendOfCard): Transaction => {
  const { id, status, amount, occurredAt, type, merchantName, declineReason, card } = spend;
  return {
    ...{ kind: "card_spend", id, state: STATE_OF_SPEND[status], direction: directionOf(spend), amount, createdAt: occurredAt },
    ...{ type, merchantName, declineReason, card },
  };
};

export const fromPayout = (payout: Payout): Transaction => {
  const { id, status, amount, createdAt, reference, bankName, accountNumber, accountName, fee, narration, failureReason } = payout;
  return {
    ...{ kind: "payout", id, state: STATE_OF_PAYOUT[status], direction: "debit", amount, createdAt },
    ...{ reference, bankName, accountNumber, accountName, fee, narration, failureReason },
  };
};

export const fromRefund = (refund: Refund): Transaction => {
  const { id, status, amount, createdAt, paymentReference, reason, failureReason } = refund;
  const state = STATE_OF_REFUND[status === "needs_account" || status === "processing" ? "open" : status];
  return { ...{ kind: "refund", id, state, direction: "debit", amount, createdAt }, ...{ paymentReference, reason, failureReason } };
};

export const fromPurchase = (purchase: VisiblePurchase): Transaction => {
  const { id, status, amount, createdAt, service, productName, recipient, quantity, refunded, failureReason } = purchase;
  return {
    ...{ kind: "purchase", id, state: STATE_OF_PURCHASE[status], direction: "debit", amount, createdAt },
    ...{ service, productName, recipient, quantity, refunded, failureReason },
  };
};
