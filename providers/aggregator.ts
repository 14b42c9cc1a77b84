import type { Money } from "#lib/money.ts";

/**
 * An aggregator of airtime, data, cable, electricity and exam pins. Every adapter implements this interface, and
 * `aggregator.conformance.ts` tests it.
 *
 * An adapter checks that a reply is about its request: it returns `unknown` for a reply with another reference, recipient or amount. Texts
 * in its answers are clean (`withCleanWords`).
 *
 * A purchase is sent once, under a reference of ours. The outcome is `delivered`, `pending`, `failed` or `unknown`, and the adapter throws
 * nothing. Every unclear reply is `unknown`. The service then reads the purchase and never sends it again.
 */
export interface Aggregator {
  readonly name: string;
  readonly capabilities: Capabilities;
  listProducts(): Promise<Found<CatalogueItem[]>>;
  verifyCustomer(question: CustomerQuestion): Promise<Found<Customer>>;
  buy(order: Order): Promise<PurchaseOutcome>;
  /** Reads the outcome of a purchase by our reference. A purchase that was taken back later is `failed`. */
  readPurchase(order: Order): Promise<PurchaseOutcome | { status: "not_found" }>;
  /** Verifies and parses a notice. Returns undefined for an invalid one. A notice is a hint to read the purchase and moves no money. */
  readNotice(headers: Headers, body: string): AggregatorNotice | undefined;
}

export interface Capabilities {
  /** A purchase that the aggregator took can be read within this time. A purchase that is not found by then was not taken and never will be. */
  visibleWithinMs: number;
}

export type Service = "airtime" | "data" | "cable" | "electricity" | "exam";

/** A product that can be bought. */
export interface CatalogueItem {
  service: Service;
  /** The aggregator's name for the product, unique within the service. */
  code: string;
  name: string;
  /** The network, the broadcaster, the disco or the examination board, in lower case. */
  brand: string;
  variant: string | null;
  size: string | null;
  validity: string | null;
  /** Null if the buyer chooses the amount. */
  price: Money | null;
  /** Whether meter numbers may contain letters. */
  hasLetters: boolean;
}

export interface Order {
  /** Our reference. */
  reference: string;
  service: Service;
  /** When the purchase was stored. At some aggregators this time is part of the purchase's reference. */
  createdAt: Date;
  productCode: string;
  /** E.164, or the number of a meter or smart card; null for exam pins. */
  recipient: string | null;
  variant: string | null;
  /** Naira, for all of `quantity`. */
  amount: Money;
  quantity: number;
  /** E.164: the phone that the aggregator notifies, if it notifies customers. */
  customerPhone: string | null;
}

/** The outcome of a purchase. Only `delivered` and `failed` are final. */
export type PurchaseOutcome =
  | { status: "delivered"; delivery: Delivery }
  | { status: "pending" }
  /** `isListStale`: the order was refused because the aggregator's list has changed. */
  | { status: "failed"; reason: string; isListStale?: true }
  | { status: "unknown" };

export interface Delivery {
  /** For prepaid electricity: the tokens to enter into the meter, in this order. 20 digits each, without separators. */
  tokens: string[];
  /** The energy of the tokens: `45.6 kWh`. */
  units: string | null;
  /** Delivered exam pins: as many as were ordered, or fewer. */
  pins: Pin[];
}

export interface Pin {
  serial: string;
  pin: string;
}

export interface CustomerQuestion {
  service: "cable" | "electricity";
  productCode: string;
  recipient: string;
  variant: string | null;
}

export interface Customer {
  name: string;
  address: string | null;
  /** For cable: the customer's present plan. */
  currentPlan: string | null;
}

/** The answer to a read. */
export type Found<Result> = { status: "found"; found: Result } | { status: "not_found" } | { status: "unknown" };

/** News about a purchase, by our reference. */
export interface AggregatorNotice {
  reference: string;
}
