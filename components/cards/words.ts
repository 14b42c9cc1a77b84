import type { StateWords } from "#components/page/states.tsx";

export const BRANDS = { VISA: "Visa", MASTERCARD: "Mastercard" } as const;

const DECLINES: Record<string, string> = {
  insufficient_funds: "there was not enough on the card",
  card_frozen: "the card was frozen",
  card_closed: "the card was terminated",
  do_not_honor: "the card's issuer did not allow it",
  expired_card: "the card had expired, or a wrong expiry date was typed",
  incorrect_cvv: "a wrong CVV was typed",
  invalid_cvv: "a wrong CVV was typed",
  merchant_blocked: "the card's issuer does not allow this shop",
};

/** Returns why a shop's charge was declined, as the end of a sentence. A reason that we do not know is shown as the issuer wrote it. */
export function whyDeclined(reason: string | null): string {
  if (reason === null || reason === "") return "the card's issuer gave no reason";
  return DECLINES[reason.toLowerCase()] ?? `the card's issuer says “${reason.replaceAll("_", " ")}”`;
}

/** Returns whether a charge was declined because the card did not hold enough. */
export const isForLackOfMoney = (reason: string | null): boolean => reason?.toLowerCase() === "insufficient_funds";

export type SpendType = "AUTHORIZATION" | "CLEARING" | "REVERSAL" | "REFUND" | "DECLINE" | "FEE";
export type SpendStatus = "PENDING" | "COMPLETED" | "REVERSED" | "DECLINED";

export const SPEND_TYPES: Record<SpendType, string> = {
  AUTHORIZATION: "Authorisation",
  CLEARING: "Clearing",
  REVERSAL: "Release",
  REFUND: "Refund",
  DECLINE: "Decline",
  FEE: "Issuer's fee",
};

const CLEARED: StateWords = { tone: "success", word: "Cleared" };
const RELEASED: StateWords = { tone: "warning", word: "Released" };
const STATES: Record<SpendType, StateWords> = {
  AUTHORIZATION: { tone: "waiting", word: "Authorised" },
  CLEARING: CLEARED,
  REVERSAL: RELEASED,
  REFUND: { tone: "success", word: "Refunded" },
  DECLINE: { tone: "danger", word: "Declined" },
  FEE: { tone: "success", word: "Charged" },
};

/** Returns the state of spend in a word. */
export function stateOfSpend(type: SpendType, status: SpendStatus): StateWords {
  if (type !== "AUTHORIZATION" || status === "PENDING") return STATES[type];
  return status === "REVERSED" ? RELEASED : CLEARED;
}

export type OperationType = "issue" | "fund" | "unload" | "freeze" | "unfreeze" | "terminate";

export const OPERATION_TYPES: Record<OperationType, string> = {
  issue: "Issue",
  fund: "Fund",
  unload: "Unload",
  freeze: "Freeze",
  unfreeze: "Unfreeze",
  terminate: "Terminate",
};

/** The names of operations in lists: nouns, because an operation may be under way or have failed. */
export const OPERATION_NAMES: Record<OperationType, string> = {
  issue: "Card issue",
  fund: "Card funding",
  unload: "Card unloading",
  freeze: "Card freeze",
  unfreeze: "Card unfreeze",
  terminate: "Card termination",
};

/** Returns choices of a filter. */
export const choicesOfWords = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));
