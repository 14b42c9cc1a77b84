import type { CardEvent } from "#components/cards/card-timeline.tsx";
import { isForLackOfMoney, stateOfSpend, whyDeclined } from "#components/cards/words.ts";
import { formatMoney, type Money, money } from "#lib/money.ts";
import type { CardOperation, CardTransaction } from "#services/cards/index.ts";
import { rateText } from "../amounts.ts";
import { toWallet } from "../to-view.ts";

const RATE_SCALE = 10_000;
const minus = ({ minor, currency }: Money): Money => money(-minor, currency);

/** Returns a fact of the wallet's side: `₦81,600.00 at 1,600.00 Naira for a dollar, with a fee of $1.00`. */
function priceOf({ walletAmount, exchangeRate, fee }: CardOperation): string {
  const rate = exchangeRate === null ? "" : ` at ₦${rateText(Number(exchangeRate) / RATE_SCALE)} for $1`;
  const withFee = fee.minor > 0n ? `, with a fee of ${formatMoney(fee)}` : "";
  return `${formatMoney(walletAmount)}${rate}${withFee}`;
}

const TEXTS: Record<CardOperation["type"], Record<CardOperation["status"], string>> = {
  issue: { completed: "Card issued", processing: "The card is being issued", failed: "The card was not issued" },
  fund: { completed: "Funded from your wallet", processing: "Funding under way", failed: "Funding failed" },
  unload: { completed: "Unloaded to your wallet", processing: "Unloading under way", failed: "Unloading failed" },
  freeze: { completed: "Frozen", processing: "Freezing under way", failed: "Freezing failed" },
  unfreeze: { completed: "Unfrozen", processing: "Unfreezing under way", failed: "Unfreezing failed" },
  terminate: { completed: "Terminated", processing: "Termination under way", failed: "Termination failed" },
};

const TONES = { completed: "success", processing: "waiting", failed: "danger" } as const;

function detailOf(operation: CardOperation): string {
  const { type, status, failureReason, walletAmount, amount } = operation;
  if (status === "failed") return `${failureReason ?? "The card's issuer refused."} Nothing was charged.`;
  if (status === "processing") {
    return "We do not know yet how this ends. Do not do it again: this page will tell you.";
  }
  if (type === "issue") return walletAmount.minor > 0n ? `It cost ${priceOf(operation)}.` : "";
  if (type === "fund") return `${priceOf(operation)}.`;
  if (type === "unload") return `Your wallet got ${priceOf(operation)}.`;
  if (type !== "terminate") return "";
  if (amount.minor < 0n) return `The card was overdrawn by ${formatMoney(minus(amount))}. Your wallet paid ${priceOf(operation)}.`;
  return amount.minor === 0n ? "Nothing was left on it." : `${formatMoney(amount)} was left. Your wallet got ${priceOf(operation)}.`;
}

/** Returns the entry of an operation. */
export function toOperationEvent(operation: CardOperation): CardEvent {
  const { id, type, status, amount, createdAt } = operation;
  const dollars = type === "fund" || type === "unload" || type === "terminate" ? amount : money(0n, "USD");
  const signed = type === "fund" ? dollars : minus(dollars);
  const moved = status === "completed";
  return {
    ...{ id, at: createdAt, text: TEXTS[type][status], detail: detailOf(operation) },
    tone: moved && (type === "freeze" || type === "terminate") ? "warning" : TONES[status],
    amount: dollars.minor === 0n ? null : moved ? signed : dollars,
    hasMoved: moved && toWallet(operation) !== null,
  };
}

const SAYS: Record<Exclude<CardTransaction["type"], "AUTHORIZATION" | "DECLINE">, string> = {
  CLEARING: "Taken by the shop.",
  REVERSAL: "Given up by the shop.",
  REFUND: "Given back by the shop.",
  FEE: "Charged by the card's issuer.",
};

const AUTHORISED: Record<CardTransaction["status"], string> = {
  PENDING: "Authorised: the shop has not taken it yet.",
  COMPLETED: "Authorised, and taken since.",
  REVERSED: "Authorised, and released: nothing was taken.",
  DECLINED: "Not authorised.",
};

/** Returns the entry of spend. `others` are the entries beside it; `balance` is what the card holds, if it can be funded. */
export function toSpendEvent(spend: CardTransaction, others: readonly CardTransaction[], balance: Money | undefined): CardEvent {
  const { id, type, status, amount, merchantName, declineReason, relatedTransactionId, city, occurredAt } = spend;
  const target = others.find((other) => other.id === relatedTransactionId);
  const isDecline = type === "DECLINE";
  const says = isDecline ? `Declined: ${whyDeclined(declineReason)}.` : type === "AUTHORIZATION" ? AUTHORISED[status] : SAYS[type];
  const isWaiting = type === "AUTHORIZATION" && status === "PENDING";
  const isCredit = type === "REFUND" || (type === "REVERSAL" && target?.type === "CLEARING");
  const hasMoved = isCredit || isWaiting || type === "CLEARING" || type === "FEE";
  return {
    ...{ id, at: occurredAt, hasMoved, tone: stateOfSpend(type, status).tone },
    text: [merchantName || "A shop without a name", city].filter(Boolean).join(", "),
    detail: says,
    amount: hasMoved && !isCredit ? minus(amount) : amount,
    related: relatedTransactionId
      ? {
          id: relatedTransactionId,
          text: target ? `Follows the ${formatMoney(target.amount)} of ${target.merchantName}` : "",
          isHere: target !== undefined,
        }
      : undefined,
    lack: isDecline && isForLackOfMoney(declineReason) && balance ? lackOf(amount, balance) : undefined,
  };
}

/** The least that a card can be funded with, in cents. */
const LEAST = 100n;

function lackOf(amount: Money, balance: Money): Money | undefined {
  const lack = amount.minor - balance.minor;
  if (lack <= 0n) return undefined;
  return money(lack < LEAST ? LEAST : lack, "USD");
}

interface Read<Thing> {
  items: readonly Thing[];
  nextCursor: string | null;
}

/**
 * Merges the newest entries of two lists. If a list has more rows, the result ends at its oldest row here, so that none is missing between
 * two that are shown.
 */
export function mergeNewest(spend: Read<CardEvent>, operations: Read<CardEvent>): { events: CardEvent[]; hasOlder: boolean } {
  const ends = [spend, operations].flatMap(({ items, nextCursor }) => (nextCursor === null ? [] : [items.at(-1)?.at.getTime() ?? 0]));
  const end = Math.max(...ends, Number.NEGATIVE_INFINITY);
  const events = [...spend.items, ...operations.items].filter(({ at }) => at.getTime() >= end);
  return { events: events.sort((a, b) => b.at.getTime() - a.at.getTime()), hasOlder: ends.length > 0 };
}

/** Returns the spend that a simulated clearing, release or refund may follow. */
export const toFollow = (spend: readonly CardTransaction[]) =>
  spend
    .filter(({ type }) => type === "AUTHORIZATION" || type === "CLEARING")
    .map(({ id, type, amount, merchantName }) => ({
      id,
      text: `${type === "CLEARING" ? "Clearing" : "Authorisation"} of ${formatMoney(amount)}, ${merchantName}`,
    }));

/** Returns what there is to say about the end of a card: the money that returned, or why the card was not issued. */
export function endingOf({ status }: { status: string }, operations: readonly CardOperation[]): string | undefined {
  if (status === "TERMINATED") {
    const end = operations.find(({ type, status: outcome }) => type === "terminate" && outcome === "completed");
    return end && `${detailOf(end)} Refunds and releases that still come go to your wallet.`;
  }
  if (status !== "FAILED") return undefined;
  const issue = operations.find(({ type }) => type === "issue");
  return issue?.failureReason ? `${issue.failureReason} Nothing was charged. Issue another one.` : undefined;
}
