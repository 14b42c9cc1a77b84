import type { z } from "zod";
import { money, toMajorNumber } from "#lib/money.ts";
import { isoOrNull } from "#lib/time.ts";
import type { CardDetails } from "#providers/issuer.ts";
import { toRateNumber } from "../exchange/index.ts";
import type { Card, CardholderRow, CardOperation, TransactionRow } from "./card.ts";
import type { CardDetailsObject, CardholderObject, CardObject, CardOperationObject, CardTransactionObject } from "./contract.ts";

export function presentCardholder(cardholder: CardholderRow): z.output<typeof CardholderObject> {
  return {
    id: cardholder.id,
    first_name: cardholder.firstName,
    last_name: cardholder.lastName,
    email: cardholder.email,
    phone: cardholder.phone,
    kyc_status: cardholder.kycStatus,
    kyc_rejection_reason: cardholder.kycRejectionReason,
    created_at: cardholder.createdAt.toISOString(),
  };
}

export function presentCard(card: Card): z.output<typeof CardObject> {
  return {
    id: card.id,
    cardholder_id: card.cardholderId,
    brand: card.brand,
    nickname: card.nickname,
    status: card.status,
    currency: "USD",
    last4: card.last4,
    masked_pan: card.last4 && `**** **** **** ${card.last4}`,
    expiry_month: card.expiryMonth,
    expiry_year: card.expiryYear,
    balance: toMajorNumber(card.balance),
    created_at: card.createdAt.toISOString(),
    terminated_at: isoOrNull(card.terminatedAt),
  };
}

export function presentOperation(operation: CardOperation): z.output<typeof CardOperationObject> {
  const usd = (minor: bigint) => toMajorNumber(money(minor, "USD"));
  const { type, amount, fee } = operation;
  return {
    id: operation.id,
    type,
    status: operation.status,
    failure_reason: operation.failureReason,
    card_id: operation.cardId,
    amount: usd(amount),
    fee: usd(fee),
    total: usd(amount + fee),
    currency: "USD",
    exchange_rate: operation.exchangeRate === null ? null : toRateNumber(operation.exchangeRate),
    wallet_amount: toMajorNumber(money(operation.walletAmount, "NGN")),
    wallet_currency: "NGN",
    card_balance: toMajorNumber(operation.cardBalance),
    reference: operation.reference,
    created_at: operation.createdAt.toISOString(),
  };
}

const GIVES_BACK = ["REVERSAL", "REFUND"];

export function presentTransaction(transaction: TransactionRow): z.output<typeof CardTransactionObject> {
  return {
    id: transaction.id,
    card_id: transaction.cardId,
    type: transaction.type,
    status: transaction.status,
    amount: toMajorNumber(money(transaction.amount, "USD")),
    currency: "USD",
    direction: GIVES_BACK.includes(transaction.type) ? "credit" : "debit",
    merchant: {
      name: transaction.merchantName,
      category_code: transaction.categoryCode,
      city: transaction.city,
      country: transaction.country,
    },
    decline_reason: transaction.declineReason,
    related_transaction_id: transaction.relatedTransactionId,
    created_at: transaction.occurredAt.toISOString(),
  };
}

export const presentDetails = ({ card, details }: { card: Card; details: CardDetails }): z.output<typeof CardDetailsObject> => ({
  card_id: card.id,
  brand: card.brand,
  number: details.number,
  cvv: details.cvv,
  expiry_month: details.expiryMonth,
  expiry_year: details.expiryYear,
});
