import { nameOfCard } from "#app/(dashboard)/_page/describe.ts";
import type { CardRow } from "#components/cards/cards-list.tsx";
import type { HolderRow } from "#components/cards/holders-list.tsx";
import type { OperationRow } from "#components/cards/operations-list.tsx";
import type { SpendRow } from "#components/cards/spend-list.tsx";
import { OPERATION_NAMES, SPEND_TYPES, stateOfSpend, whyDeclined } from "#components/cards/words.ts";
import { type Money, money } from "#lib/money.ts";
import { type Cardholder, directionOf, type listCards, type OperationOfCard, type SpendOfCard } from "#services/cards/index.ts";

type CardOfHolder = Awaited<ReturnType<typeof listCards>>["items"][number];

export const fullName = ({ firstName, lastName }: Pick<Cardholder, "firstName" | "lastName">): string => `${firstName} ${lastName}`;

/** Returns what a list shows of a card. `path` is that of the cards. */
export const toCardRow = ({ id, nickname, brand, last4, cardholder, status, balance, createdAt }: CardOfHolder, path: string): CardRow => ({
  ...{ id, nickname, brand, last4, status, balance, createdAt },
  href: `${path}/${id}`,
  holder: fullName(cardholder),
});

/** Returns what the list shows of a cardholder. */
export const toHolderRow = (holder: Cardholder, path: string): HolderRow => {
  const { id, email, phone, kycStatus, createdAt } = holder;
  return { id, email, phone, kycStatus, createdAt, href: `${path}/holders/${id}`, name: fullName(holder) };
};

/** Returns what the list shows of spend. */
export function toSpendRow(spend: SpendOfCard, path: string): SpendRow {
  const { cardId, id, type, status, merchantName, declineReason, card, amount, occurredAt } = spend;
  // An authorization and a decline take nothing, and a release of an authorization gives nothing.
  const hasMoved = type === "CLEARING" || type === "REFUND" || type === "FEE";
  return {
    key: `${cardId}/${id}`,
    href: `${path}/${cardId}`,
    shop: merchantName || "A shop without a name",
    why: type === "DECLINE" ? `Declined: ${whyDeclined(declineReason)}.` : null,
    card: nameOfCard(card),
    kind: SPEND_TYPES[type],
    state: stateOfSpend(type, status),
    amount: hasMoved && directionOf(spend) === "debit" ? money(-amount.minor, amount.currency) : amount,
    hasMoved,
    at: occurredAt,
  };
}

/** Returns the dollars that an operation put on its card, below zero where it took them off. Null where none moved. */
function onCard({ type, amount }: Pick<OperationOfCard, "type" | "amount">): Money | null {
  if (amount.minor === 0n) return null;
  return type === "fund" ? amount : money(-amount.minor, "USD");
}

/** Returns the Naira that an operation gave to the wallet, below zero where it took them. Null where none moved. */
export function toWallet({ type, amount, walletAmount }: Pick<OperationOfCard, "type" | "amount" | "walletAmount">): Money | null {
  if (walletAmount.minor === 0n) return null;
  const isCredit = type === "unload" || (type === "terminate" && amount.minor >= 0n);
  return isCredit ? walletAmount : money(-walletAmount.minor, "NGN");
}

/** Returns what the list shows of an operation. */
export function toOperationRow(operation: OperationOfCard, path: string): OperationRow {
  const { id, cardId, type, status, failureReason, card, createdAt } = operation;
  const signed = (value: Money | null) =>
    value && status !== "completed" && value.minor < 0n ? money(-value.minor, value.currency) : value;
  return {
    ...{ id, status, createdAt },
    href: `${path}/${cardId}`,
    title: OPERATION_NAMES[type],
    card: nameOfCard(card),
    why: failureReason,
    amount: signed(onCard(operation)),
    walletAmount: signed(toWallet(operation)),
  };
}
