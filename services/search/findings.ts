import type { Alert } from "../alerts/index.ts";
import type { Cardholder, CardOfHolder, OperationOfCard, SpendOfCard } from "../cards/index.ts";
import type { PaymentLink } from "../checkout/index.ts";
import type { MerchantContext } from "../context.ts";
import type { MerchantEvent } from "../events/index.ts";
import type { WalletTransaction } from "../ledger/index.ts";
import { maySee, type SeenWith } from "../members/index.ts";
import type { Payout } from "../payouts/index.ts";
import type { VisiblePurchase } from "../vtu/index.ts";
import type { Delivery, Endpoint } from "../webhooks/index.ts";

/** The type of each kind of record that a search finds. */
interface Things {
  links: PaymentLink;
  cards: CardOfHolder;
  cardholders: Cardholder;
  /** Purchases are returned without tokens and pins. */
  purchases: VisiblePurchase;
  payouts: Payout;
  operations: OperationOfCard;
  transactions: SpendOfCard;
  walletTransactions: WalletTransaction;
  events: MerchantEvent;
  alerts: Alert;
  endpoints: Endpoint;
  deliveries: Delivery;
}

type Kind = keyof Things;

/** The newest records of a kind, at most `MAX_HITS`. */
export interface Hits<Thing> {
  items: Thing[];
  hasMore: boolean;
}

export type SearchResult = { [K in Kind]: Hits<Things[K]> };

const MAX_HITS = 10;

/** The permission that is needed to see a kind, and its area. As in the API, events, the wallet and webhooks belong to no area. */
const SEEN_WITH: Record<Kind, SeenWith> = {
  links: { permission: "checkout:read", area: "checkout" },
  cards: { permission: "cards:read", area: "cards" },
  cardholders: { permission: "cards:read", area: "cards" },
  purchases: { permission: "vtu:read", area: "vtu" },
  payouts: { permission: "wallet:read" },
  operations: { permission: "cards:read", area: "cards" },
  transactions: { permission: "cards:read", area: "cards" },
  walletTransactions: { permission: "wallet:read" },
  events: { permission: "events:read" },
  alerts: { permission: "events:read" },
  endpoints: { permission: "webhooks:read" },
  deliveries: { permission: "webhooks:read" },
};

/** Reads at most `limit` records, newest first. */
type Find<Thing> = (limit: number) => Promise<Thing[]>;

/** The records that one search finds. A kind that the caller may not see is not read. */
export class Findings {
  readonly #ctx: MerchantContext;
  readonly #found: { [K in Kind]: Map<string, Things[K]> } = {
    links: new Map(),
    cards: new Map(),
    cardholders: new Map(),
    purchases: new Map(),
    payouts: new Map(),
    operations: new Map(),
    transactions: new Map(),
    walletTransactions: new Map(),
    events: new Map(),
    alerts: new Map(),
    endpoints: new Map(),
    deliveries: new Map(),
  };

  constructor(ctx: MerchantContext) {
    this.#ctx = ctx;
  }

  /** Reads records of a kind and stores them. Returns those that the result shows. */
  async look<K extends Kind>(kind: K, find: Find<Things[K]>): Promise<Things[K][]> {
    if (!maySee(this.#ctx, SEEN_WITH[kind])) return [];
    // One more than the result shows: its presence means that there are more.
    const things = await find(MAX_HITS + 1);
    for (const thing of things) this.#found[kind].set(String(thing.id), thing);
    return things.slice(0, MAX_HITS);
  }

  result(): SearchResult {
    const { links, cards, cardholders, purchases, payouts, operations, transactions, walletTransactions, ...others } = this.#found;
    const { events, alerts, endpoints, deliveries } = others;
    return {
      links: newest(links),
      cards: newest(cards),
      // Their ids are random.
      cardholders: newest(cardholders, ({ createdAt }) => createdAt.toISOString()),
      purchases: newest(purchases),
      payouts: newest(payouts),
      operations: newest(operations),
      transactions: newest(transactions),
      walletTransactions: newest(walletTransactions),
      events: newest(events),
      alerts: newest(alerts),
      endpoints: newest(endpoints),
      deliveries: newest(deliveries),
    };
  }
}

/** Returns the newest records. Ids sort by time. */
function newest<Thing extends { id: unknown }>(
  found: Map<string, Thing>,
  positionOf: (thing: Thing) => string = ({ id }) => String(id),
): Hits<Thing> {
  const sorted = [...found.values()].sort((a, b) => (positionOf(a) < positionOf(b) ? 1 : -1));
  return { items: sorted.slice(0, MAX_HITS), hasMore: sorted.length > MAX_HITS };
}
