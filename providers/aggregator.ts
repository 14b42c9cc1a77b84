import type { Money } from "#lib/money.ts";

/**
 * An aggregator of airtime, data, cable, electricity and exam pins. Every adapter keeps to this, whatever its aggregator calls things, and
 * `aggregator.conformance.ts` holds it to it.
 *
 * An adapter answers only what is about its question: a reply that names another reference, recipient or amount is unknown. Texts in its
 * answers are clean (`withCleanWords`).
 *
 * A purchase is asked for once, under a reference of ours. The answer is delivered, pending, failed or unknown, and nothing is thrown:
 * unknown is whatever is not a clear word, and is resolved by reading the purchase, never by asking again.
 */
export interface Aggregator {
  readonly name: string;
  readonly capabilities: Capabilities;
  listProducts(): Promise<Found<CatalogueItem[]>>;
  verifyCustomer(question: CustomerQuestion): Promise<Found<Customer>>;
  buy(order: Order): Promise<PurchaseOutcome>;
  /** What became of a purchase, by our reference. One that was taken back later has failed. */
  readPurchase(order: Order): Promise<PurchaseOutcome | { status: "not_found" }>;
  /** Verifies and translates. Undefined when it is not the aggregator's word. It is a hint at what to read again, and never believed for money. */
  readNotice(headers: Headers, body: string): AggregatorNotice | undefined;
}

export interface Capabilities {
  /** A purchase that the aggregator took is found within so many milliseconds. One that is not found by then was never taken, and never will be. */
  visibleWithinMs: number;
}

export type Service = "airtime" | "data" | "cable" | "electricity" | "exam";

/** Something that can be bought. */
export interface CatalogueItem {
  service: Service;
  /** The aggregator's name for it, unique within the service. */
  code: string;
  name: string;
  /** The network, the broadcaster, the disco or the examination board, in lower case. */
  brand: string;
  variant: string | null;
  size: string | null;
  validity: string | null;
  /** Null where the buyer chooses the amount. */
  price: Money | null;
  /** Its meters may have letters in their numbers. */
  hasLetters: boolean;
}

export interface Order {
  /** Ours. */
  reference: string;
  service: Service;
  /** When it was first stored: part of the name of a purchase at some aggregators. */
  createdAt: Date;
  productCode: string;
  /** E.164, or the number of a meter or smart card; null for exam pins. */
  recipient: string | null;
  variant: string | null;
  /** Naira, for all of `quantity`. */
  amount: Money;
  quantity: number;
  /** E.164: who is told of it, where the aggregator tells anybody. */
  customerPhone: string | null;
}

/** What became of a purchase. Only `delivered` and `failed` are final. */
export type PurchaseOutcome =
  | { status: "delivered"; delivery: Delivery }
  | { status: "pending" }
  /** `isListStale`: it was refused for something that the present list has otherwise. */
  | { status: "failed"; reason: string; isListStale?: true }
  | { status: "unknown" };

export interface Delivery {
  /** Of prepaid electricity: what is keyed into the meter, in this order. 20 digits each, without separators. */
  tokens: string[];
  /** What the tokens are worth: `45.6 kWh`. */
  units: string | null;
  /** Exam pins that there are: as many as were ordered, or fewer. */
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
  /** Cable: what the customer is subscribed to now. */
  currentPlan: string | null;
}

/** The answer to a read. */
export type Found<Result> = { status: "found"; found: Result } | { status: "not_found" } | { status: "unknown" };

/** Something is new about a purchase, by our name for it. */
export interface AggregatorNotice {
  reference: string;
}
