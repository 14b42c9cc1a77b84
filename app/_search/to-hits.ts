import { CARD_STATES, KYC_STATES, LINK_STATES, PAYOUT_STATES, PURCHASE_STATES, type StateWords } from "#components/page/states.tsx";
import { formatMoney } from "#lib/money.ts";
import type { SearchResult } from "#services/search/index.ts";

/** One thing that a search has found, for a list of results. */
export interface Hit {
  id: string;
  /** The kind of thing, as the heading over it. */
  group: string;
  title: string;
  detail: string;
  state: StateWords | null;
  /** Below the path of the mode. */
  path: string;
}

/** A hit, before it has its group. */
type Found = Omit<Hit, "group" | "id"> & { id: string | number };

/** Returns the findings of a search that have a page, and the kinds with more findings than are shown. */
export function toHits(result: SearchResult): { hits: Hit[]; moreOf: string[] } {
  const groups = GROUPS.map(({ group, read }) => ({ group, ...read(result) }));
  return {
    hits: groups.flatMap(({ group, found }) => found.map((hit) => ({ ...hit, id: String(hit.id), group }))),
    moreOf: groups.filter(({ hasMore }) => hasMore).map(({ group }) => group),
  };
}

interface Group {
  group: string;
  read: (result: SearchResult) => { found: Found[]; hasMore: boolean };
}

const GROUPS: readonly Group[] = [
  { group: "Payment links", read: ({ links }) => ({ hasMore: links.hasMore, found: links.items.map(ofLink) }) },
  { group: "Cardholders", read: ({ cardholders }) => ({ hasMore: cardholders.hasMore, found: cardholders.items.map(ofCardholder) }) },
  { group: "Cards", read: ({ cards }) => ({ hasMore: cards.hasMore, found: cards.items.map(ofCard) }) },
  { group: "Card money", read: ({ operations }) => ({ hasMore: operations.hasMore, found: operations.items.map(ofOperation) }) },
  { group: "Card spend", read: ({ transactions }) => ({ hasMore: transactions.hasMore, found: transactions.items.map(ofSpend) }) },
  { group: "Top-ups", read: ({ purchases }) => ({ hasMore: purchases.hasMore, found: purchases.items.map(ofPurchase) }) },
  { group: "Payouts", read: ({ payouts }) => ({ hasMore: payouts.hasMore, found: payouts.items.map(ofPayout) }) },
  {
    group: "Wallet",
    read: ({ walletTransactions }) => ({ hasMore: walletTransactions.hasMore, found: walletTransactions.items.map(ofMovement) }),
  },
];

type ThingOf<Kind extends keyof SearchResult> = SearchResult[Kind]["items"][number];

const ofLink = ({ id, reference, description, customerName, customerEmail, amount, status }: ThingOf<"links">): Found => ({
  ...{ id, title: description ?? "Payment link", detail: joined(formatMoney(amount), customerName ?? customerEmail) },
  ...{ state: LINK_STATES[status], path: `/links/${reference}` },
});

const ofCardholder = ({ id, firstName, lastName, email, kycStatus }: ThingOf<"cardholders">): Found => ({
  ...{ id, title: `${firstName} ${lastName}`, detail: email, state: KYC_STATES[kycStatus], path: `/cards/holders/${id}` },
});

const ofCard = ({ id, nickname, last4, cardholder, status }: ThingOf<"cards">): Found => ({
  ...{ id, title: joined(nickname ?? "Card", last4 && `••${last4}`), detail: `${cardholder.firstName} ${cardholder.lastName}` },
  ...{ state: CARD_STATES[status], path: `/cards/${id}` },
});

const ofOperation = ({ id, type, amount, card }: ThingOf<"operations">): Found => ({
  ...{
    id,
    title: OPERATIONS[type],
    detail: joined(formatMoney(amount), card.last4 && `••${card.last4}`),
    state: null,
    path: `/cards/${card.id}`,
  },
});

const OPERATIONS: Record<ThingOf<"operations">["type"], string> = {
  issue: "Card issued",
  fund: "Card funded",
  unload: "Card unloaded",
  freeze: "Card frozen",
  unfreeze: "Card unfrozen",
  terminate: "Card terminated",
};

const ofSpend = ({ id, merchantName, amount, card }: ThingOf<"transactions">): Found => ({
  ...{ id, title: merchantName ?? "Card payment", detail: joined(formatMoney(amount), card.last4 && `••${card.last4}`) },
  ...{ state: null, path: `/cards/${card.id}` },
});

const ofPurchase = ({ id, productName, recipient, amount, status }: ThingOf<"purchases">): Found => ({
  ...{ id, title: productName, detail: joined(formatMoney(amount), recipient), state: PURCHASE_STATES[status], path: `/top-ups/${id}` },
});

const ofPayout = ({ id, bankName, accountNumber, amount, status }: ThingOf<"payouts">): Found => ({
  ...{ id, title: `To ${bankName} ••${accountNumber.slice(-4)}`, detail: formatMoney(amount) },
  ...{ state: PAYOUT_STATES[status], path: `/wallet/payouts/${id}` },
});

const ofMovement = ({ id, direction, amount }: ThingOf<"walletTransactions">): Found => ({
  ...{ id, title: direction === "credit" ? "Money in" : "Money out", detail: formatMoney(amount), state: null, path: "/wallet" },
});

const joined = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(" · ");
