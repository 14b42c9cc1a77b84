import { nameOfCard } from "#app/(dashboard)/_page/describe.ts";
import type { Need } from "#components/home/needs-you.tsx";
import { timeText } from "#components/ui/time-text.ts";
import { truncateMiddle } from "#components/ui/truncate-middle.ts";
import { formatMoney } from "#lib/money.ts";
import { readableHost } from "#lib/readable-host.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#lib/time.ts";
import { ALERT_WORDS, type Alert } from "#services/alerts/index.ts";
import type { Cardholder, OperationOfCard } from "#services/cards/index.ts";
import type { ReturnedTransfer } from "#services/checkout/index.ts";
import type { Wallet } from "#services/ledger/index.ts";
import type { VisiblePurchase } from "#services/vtu/index.ts";
import type { Endpoint } from "#services/webhooks/index.ts";
import { MAX_OF_A_KIND, type NeedsRead } from "./read-needs.ts";

interface Place {
  /** The path of the mode. */
  base: string;
  now: Date;
}

/** The home page shows an alert for this long after its creation. */
const ALERT_MS = 7 * DAY_MS;
const REFUSAL_MS = 14 * DAY_MS;
/** An identity check usually takes less time than this, so a younger one is not shown. */
const CHECK_MS = HOUR_MS;
/** Shorter failures of an endpoint are usual and end by themselves, because events are sent again. So they are not shown. */
const FAILING_MS = 10 * MINUTE_MS;

const isYounger = (at: Date, ageMs: number, { now }: Place) => now.getTime() - at.getTime() < ageMs;

/** Returns what needs the reader, newest first, and whether there is more. */
export function toNeeds(read: NeedsRead, { owed }: Pick<Wallet, "owed">, place: Place): { needs: Need[]; hasMore: boolean } {
  const kinds: Need[][] = [
    owed.minor > 0n ? [debtNeed(owed, place)] : [],
    read.alerts.filter(({ createdAt }) => isYounger(createdAt, ALERT_MS, place)).map((alert) => alertNeed(alert, place)),
    read.returned.map((transfer) => returnedNeed(transfer, place)),
    read.refused.filter(({ createdAt }) => isYounger(createdAt, REFUSAL_MS, place)).map((holder) => refusedNeed(holder, place)),
    read.checking.filter(({ createdAt }) => !isYounger(createdAt, CHECK_MS, place)).map((holder) => checkingNeed(holder, place)),
    [...read.failedOperations, ...read.longOperations].map((operation) => operationNeed(operation, place)),
    [...read.failedPurchases, ...read.longPurchases].map((purchase) => purchaseNeed(purchase, place)),
    read.endpoints.flatMap((endpoint) => endpointNeed(endpoint, place) ?? []),
  ];
  const newestFirst = (a: Need, b: Need) => b.at.getTime() - a.at.getTime();
  return {
    needs: kinds.flatMap((kind) => kind.toSorted(newestFirst).slice(0, MAX_OF_A_KIND)).toSorted(newestFirst),
    hasMore: kinds.some(({ length }) => length > MAX_OF_A_KIND),
  };
}

const debtNeed = (owed: Wallet["owed"], { base, now }: Place): Need => ({
  ...{ key: "debt", at: now, tone: "warning" },
  text: `You owe ${formatMoney(owed)}`,
  detail: "Your wallet could not cover it. The next money that comes in pays it first.",
  action: { href: `${base}/wallet#owed`, label: "See why" },
});

const ALERTS: Record<Alert["type"], { tone: Need["tone"]; label: string }> = {
  "api_key.ending": { tone: "warning", label: "View key" },
  "bank_account.decided": { tone: "warning", label: "View accounts" },
  "bulk_order.paused": { tone: "warning", label: "View file" },
  "card.blocked": { tone: "danger", label: "View card" },
  "card_spend.waiting": { tone: "waiting", label: "View card" },
  "checkout.return_untold": { tone: "warning", label: "View link" },
  "checkout.transfer_recalled": { tone: "danger", label: "View link" },
  "checkout.transfer_returned": { tone: "warning", label: "View link" },
  "exchange_rate.ending": { tone: "warning", label: "See rates" },
  "payout.failed": { tone: "danger", label: "View payout" },
  "payout.reversed": { tone: "danger", label: "View payout" },
  "payout.undecided": { tone: "waiting", label: "View payout" },
  "payout.waiting": { tone: "warning", label: "Decide" },
  "refund.failed": { tone: "danger", label: "View link" },
  "refund.reversed": { tone: "danger", label: "View link" },
  "refund.undecided": { tone: "waiting", label: "View link" },
  "refund.waiting": { tone: "warning", label: "Decide" },
  "vtu.reversed": { tone: "warning", label: "View" },
  "vtu.undecided": { tone: "waiting", label: "View" },
  "wallet.below_limit": { tone: "warning", label: "View wallet" },
  "wallet.debt": { tone: "warning", label: "See why" },
  "webhook_endpoint.disabled": { tone: "danger", label: "Look" },
  "webhook_endpoint.failing": { tone: "danger", label: "Look" },
};

function alertNeed({ id, type, message, resourceId, createdAt }: Alert, { base }: Place): Need {
  const { tone, label } = ALERTS[type];
  const { title, pathOf } = ALERT_WORDS[type];
  return {
    ...{ key: id, at: createdAt, tone, text: title, detail: message },
    action: { href: `${base}${pathOf(resourceId)}`, label },
  };
}

const MISSED: Record<ReturnedTransfer["classification"], (came: string, link: string, due: string) => string> = {
  exact: (came, link) => `${came} came for ${link} and did not pay it`,
  underpaid: (came, link, due) => `${came} came for ${link}, ${due} was due`,
  overpaid: (came, link, due) => `${came} came for ${link}, ${due} was due`,
  late: (came, link) => `${came} came too late for ${link}`,
  duplicate: (came, link) => `${came} came a second time for ${link}`,
};

/** Returns the ends of a reference. The word joiner keeps them on one line. */
const unbroken = (reference: string): string => truncateMiddle(reference).replace("…", "…\u2060");

function returnedNeed({ id, link, amount, classification, senderName, sentBack, receivedAt }: ReturnedTransfer, { base }: Place): Need {
  const text = MISSED[classification](formatMoney(amount), unbroken(link.reference), formatMoney(link.amount));
  const detail = `It ${sentBack ? "went" : "goes"} back to ${senderName ?? "the account that it came from"}.`;
  return {
    key: id,
    at: receivedAt,
    tone: "warning",
    text,
    detail,
    action: { href: `${base}/links/${link.reference}`, label: "View link" },
  };
}

const holderNeed = ({ id, createdAt }: Cardholder, { base }: Place) => ({
  ...{ key: `cardholder-${id}`, at: createdAt },
  action: { href: `${base}/cards/holders/${id}`, label: "View" },
});

const refusedNeed = (holder: Cardholder, place: Place): Need => ({
  ...holderNeed(holder, place),
  tone: "danger",
  text: `${holder.firstName} ${holder.lastName}'s identity was refused`,
  detail: holder.kycRejectionReason ?? undefined,
});

const checkingNeed = (holder: Cardholder, place: Place): Need => ({
  ...holderNeed(holder, place),
  tone: "waiting",
  text: `${holder.firstName} ${holder.lastName}'s identity is still being checked`,
  detail: "Cards can be issued once it is approved.",
});

const OPERATIONS: Record<OperationOfCard["type"], string> = {
  ...{ issue: "Issuing", fund: "Funding", unload: "Unloading" },
  ...{ freeze: "Freezing", unfreeze: "Unfreezing", terminate: "Terminating" },
};

/** The advice for a card operation or a purchase whose outcome is not known after a long time. */
const DO_NOT_REPEAT = "We do not know yet how it ends. Do not do it again.";

function operationNeed({ id, type, status, card, failureReason, createdAt }: OperationOfCard, { base }: Place): Need {
  const what = `${OPERATIONS[type]} ${nameOfCard(card)}`;
  const common = { key: id, at: createdAt, action: { href: `${base}/cards/${card.id}`, label: "View card" } };
  return status === "failed"
    ? { ...common, tone: "danger", text: `${what} failed`, detail: failureReason ?? undefined }
    : { ...common, tone: "waiting", text: `${what} takes long`, detail: DO_NOT_REPEAT };
}

function purchaseNeed({ id, status, productName, recipient, amount, refunded, createdAt }: VisiblePurchase, { base }: Place): Need {
  const what = recipient ? `${productName} for ${recipient}` : productName;
  const common = { key: id, at: createdAt, action: { href: `${base}/top-ups/${id}`, label: "View" } };
  return status === "failed"
    ? { ...common, tone: "danger", text: `${what} was not delivered`, detail: `${formatMoney(refunded)} is back in your wallet.` }
    : { ...common, tone: "waiting", text: `${what} takes long`, detail: `${formatMoney(amount)} is held. ${DO_NOT_REPEAT}` };
}

/** Returns undefined for a disabled endpoint, because an alert tells of it already. */
function endpointNeed({ id, url, status, failingSince }: Endpoint, place: Place): Need | undefined {
  if (status !== "enabled" || failingSince === null || isYounger(failingSince, FAILING_MS, place)) return undefined;
  return {
    ...{ key: id, at: failingSince, tone: "danger" },
    text: `${readableHost(url)} does not take events`,
    detail: `It has failed since ${timeText(failingSince, place.now)}. Events wait and are sent again.`,
    action: { href: `${place.base}/developers/webhooks/${id}`, label: "Look" },
  };
}
