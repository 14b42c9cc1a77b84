import type { z } from "zod";
import { money, toMajorNumber } from "#lib/money.ts";
import { isoOrNull } from "#lib/time.ts";
import { toRateNumber } from "../exchange/index.ts";
import type { Card, RevealedDetails } from "./card.ts";
import type { CardOperation } from "./card-operation.ts";
import { type CardTransaction, directionOf } from "./card-transaction.ts";
import type { Cardholder } from "./cardholder.ts";
import type { CardDetailsObject, CardholderObject, CardObject, CardOperationObject, CardTransactionObject } from "./contract.ts";

export function presentCardholder(cardholder: Cardholder): z.output<typeof CardholderObject> {
  return {
    id: cardholder.id,
    first_name: cardholder.firstName,
    last_name: cardholder.lastName,
    email: cardholder.email,
    phone: cardholder.phone,
    kyc_status: cardholder.kycStatus,
    kyc_rejection_reason: cardholder.kycRejectionReason,
    metadata: cardholder.metadata,
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
    metadata: card.metadata,
    created_at: card.createdAt.toISOString(),
    terminated_at: isoOrNull(card.terminatedAt),
  };
}

export function presentOperation(operation: CardOperation): z.output<typeof CardOperationObject> {
  const { type, amount, fee } = operation;
  return {
    id: operation.id,
    type,
    status: operation.status,
    failure_reason: operation.failureReason,
    card_id: operation.cardId,
    amount: toMajorNumber(amount),
    fee: toMajorNumber(fee),
    total: toMajorNumber(money(amount.minor + fee.minor, "USD")),
    currency: "USD",
    exchange_rate: operation.exchangeRate === null ? null : toRateNumber(operation.exchangeRate),
    wallet_amount: toMajorNumber(operation.walletAmount),
    wallet_currency: "NGN",
    card_balance: toMajorNumber(operation.cardBalance),
    reference: operation.reference,
    created_at: operation.createdAt.toISOString(),
  };
}

export function presentTransaction(transaction: CardTransaction): z.output<typeof CardTransactionObject> {
  return {
    id: transaction.id,
    card_id: transaction.cardId,
    type: transaction.type,
    status: transaction.status,
    amount: toMajorNumber(transaction.amount),
    currency: "USD",
    direction: directionOf(transaction),
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

export const presentDetails = (details: RevealedDetails): z.output<typeof CardDetailsObject> => ({
  card_id: details.cardId,
  brand: details.brand,
  number: details.number,
  cvv: details.cvv,
  expiry_month: details.expiryMonth,
  expiry_year: details.expiryYear,
});
