import { OPERATION_NAMES } from "#components/cards/words.ts";
import {
  LINK_STATES,
  OPERATION_STATES,
  PAYOUT_STATES,
  PURCHASE_STATES,
  REFUND_STATES,
  SPEND_STATES,
  type StateWords,
  UNKNOWN_STATE,
} from "#components/page/states.tsx";
import type { Transaction } from "#services/transactions/index.ts";

interface Description {
  /** The page of the thing. */
  href: string;
  title: string;
  /** Whom or what it is about. */
  detail: string | null;
  state: StateWords;
}

/** The kinds of transactions, for people. */
export const KIND_WORDS: Record<Transaction["kind"], string> = {
  payment_link: "Payment link",
  card_operation: "Card money",
  card_spend: "Card spend",
  purchase: "Top-up",
  payout: "Payout",
  refund: "Refund",
};

type Of<Kind extends Transaction["kind"]> = Extract<Transaction, { kind: Kind }>;

/** Returns what a transaction is, in words, and where it leads. `base` is the path of the mode. */
export function describeTransaction(transaction: Transaction, base: string): Description {
  switch (transaction.kind) {
    case "payment_link":
      return ofLink(transaction, base);
    case "card_operation":
      return ofOperation(transaction, base);
    case "card_spend":
      return ofSpend(transaction, base);
    case "purchase":
      return ofPurchase(transaction, base);
    case "payout":
      return ofPayout(transaction, base);
    case "refund":
      return ofRefund(transaction, base);
  }
}

const ofLink = (
  { reference, description, customerName, customerEmail, state, recalledAt }: Of<"payment_link">,
  base: string,
): Description => ({
  href: `${base}/links/${reference}`,
  title: description ?? "Payment link",
  detail: customerName ?? customerEmail,
  state: recalledAt ? { tone: "danger", word: "Taken back" } : LINK_STATE_OF[state],
});

const LINK_STATE_OF: Record<Transaction["state"], StateWords> = {
  processing: LINK_STATES.pending,
  completed: LINK_STATES.success,
  expired: LINK_STATES.expired,
  failed: UNKNOWN_STATE,
  reversed: UNKNOWN_STATE,
};

const ofOperation = ({ type, card, state }: Of<"card_operation">, base: string): Description => ({
  href: `${base}/cards/${card.id}`,
  title: OPERATION_NAMES[type],
  detail: nameOfCard(card),
  state: { ...UNKNOWN_STATES, ...OPERATION_STATES }[state],
});

const ofSpend = ({ merchantName, card, state }: Of<"card_spend">, base: string): Description => ({
  href: `${base}/cards/${card.id}`,
  title: merchantName ?? "Card payment",
  detail: nameOfCard(card),
  state: { ...UNKNOWN_STATES, ...SPEND_STATES }[state],
});

const ofPurchase = ({ id, productName, recipient, quantity, state }: Of<"purchase">, base: string): Description => ({
  href: `${base}/top-ups/${id}`,
  title: quantity > 1 ? `${productName} × ${quantity}` : productName,
  detail: recipient,
  state: { ...UNKNOWN_STATES, ...PURCHASE_STATES, completed: PURCHASE_STATES.success }[state],
});

const ofPayout = ({ id, bankName, accountNumber, accountName, state }: Of<"payout">, base: string): Description => ({
  href: `${base}/wallet/payouts/${id}`,
  title: `To ${bankName} ••${accountNumber.slice(-4)}`,
  detail: accountName,
  state: { ...UNKNOWN_STATES, ...PAYOUT_STATES, completed: PAYOUT_STATES.paid }[state],
});

const ofRefund = ({ paymentReference, reason, state }: Of<"refund">, base: string): Description => ({
  href: `${base}/links/${paymentReference}#refunds`,
  title: "Refund",
  detail: reason,
  state: { ...UNKNOWN_STATES, ...REFUND_STATES, completed: REFUND_STATES.paid }[state],
});

const UNKNOWN_STATES = {
  processing: UNKNOWN_STATE,
  completed: UNKNOWN_STATE,
  failed: UNKNOWN_STATE,
  expired: UNKNOWN_STATE,
  reversed: UNKNOWN_STATE,
} as const;

/** Returns how a list names a card: `Ads ••4417, Ngozi Eze`. */
export function nameOfCard({ nickname, brand, last4, cardholder }: Of<"card_spend">["card"]): string {
  const name = nickname ?? (brand === "VISA" ? "Visa" : "Mastercard");
  return `${name}${last4 ? ` ••${last4}` : ""}, ${cardholder.firstName} ${cardholder.lastName}`;
}
