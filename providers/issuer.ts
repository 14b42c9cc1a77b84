import type { Money } from "#lib/money.ts";
import type { UnreadableRow } from "./read-rows.ts";

/**
 * A card issuer. Every adapter keeps to this, whatever its issuer calls things, and `issuer.conformance.ts` holds it to it.
 *
 * An adapter answers only what is about its question: a reply that names another reference, card, kind or amount is unknown. Texts in its
 * answers are clean (`withCleanWords`).
 *
 * A write is asked for once, under a reference of ours. It answers completed, pending, failed or unknown, and throws nothing: unknown
 * is whatever is not a clear word, and is resolved by reading the operation, never by asking again. So an issuer needs no idempotency.
 */
export interface Issuer {
  readonly name: string;
  readonly capabilities: Capabilities;
  createCardholder(request: CardholderRequest): Promise<CardholderOutcome>;
  readCardholder(cardholder: CardholderName): Promise<Found<CardholderState>>;
  issueCard(request: IssueRequest): Promise<OperationOutcome>;
  readCard(cardReference: string): Promise<Found<CardState>>;
  /** Puts exactly `amount` on the card, or nothing. */
  fund(request: MoneyRequest): Promise<OperationOutcome>;
  /** Takes at most `amount` off the card, and says how much it was. */
  unload(request: MoneyRequest): Promise<OperationOutcome>;
  freeze(request: CardRequest): Promise<OperationOutcome>;
  unfreeze(request: CardRequest): Promise<OperationOutcome>;
  /** For good. What was left on the card, less open authorizations, is taken off it. */
  terminate(request: CardRequest): Promise<OperationOutcome>;
  /** What became of a write, by our reference. */
  readOperation(question: OperationQuestion): Promise<OperationOutcome | { status: "not_found" }>;
  /** A card's spend, newest first. */
  listTransactions(cardReference: string, page: string | null): Promise<TransactionPage>;
  /** Verifies and translates. Undefined when it is not the issuer's word. It is a hint at what to read again, and never believed for money. */
  readNotice(headers: Headers, body: string): IssuerNotice | undefined;
  /** The number and CVV, for one pair of eyes. */
  revealDetails(cardReference: string): Promise<Found<CardDetails>>;
}

export type Brand = "VISA" | "MASTERCARD";

export interface Capabilities {
  brands: readonly Brand[];
  /** An operation that the issuer took is found within so many milliseconds. One that is not found by then was never taken, and never will be. */
  visibleWithinMs: number;
  /** An authorization that is neither cleared nor reversed for so long is let go of, without a word. */
  authorizationsLastMs: number;
}

/** The answer to a write. Only `completed` and `failed` are final. */
export type OperationOutcome =
  | {
      status: "completed";
      providerReference: string;
      /** The card that was issued; null for anything but issuing. */
      issued: IssuedCard | null;
      /** US dollars that were taken off the card by unloading or termination; below zero where a terminated card was overdrawn. */
      taken: Money | null;
    }
  | { status: "pending"; providerReference: string | null }
  | { status: "failed"; reason: string }
  | { status: "unknown" };

export type CardholderOutcome =
  | { status: "completed"; cardholder: CardholderState }
  | { status: "failed"; reason: string }
  | { status: "unknown" };

/** The answer to a read. */
export type Found<Result> = { status: "found"; found: Result } | { status: "not_found" } | { status: "unknown" };

export type OperationType = "issue" | "fund" | "unload" | "freeze" | "unfreeze" | "terminate";

export interface OperationQuestion {
  type: OperationType;
  /** Ours. */
  reference: string;
  /** The issuer's name for the card; null while it is being issued. */
  cardReference: string | null;
  /** US dollars, of a funding or an unload; else null. */
  amount: Money | null;
}

export interface CardholderRequest {
  reference: string;
  firstName: string;
  lastName: string;
  email: string;
  /** E.164. */
  phone: string | null;
}

/** By the issuer's name where we know it, by ours where we do not. */
export interface CardholderName {
  reference: string;
  providerReference: string | null;
}

export interface CardholderState {
  providerReference: string;
  kyc: { status: "PENDING" | "APPROVED" } | { status: "REJECTED"; reason: string };
}

export interface IssueRequest {
  reference: string;
  /** The issuer's name for the cardholder. */
  cardholderReference: string;
  brand: Brand;
}

export interface IssuedCard {
  /** The issuer's name for the card. */
  cardReference: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
}

export interface CardRequest {
  reference: string;
  cardReference: string;
}

export interface MoneyRequest extends CardRequest {
  /** US dollars. */
  amount: Money;
}

export interface CardState {
  state: "ACTIVE" | "FROZEN" | "TERMINATED";
  /** What can be spent: authorizations lower it. */
  balance: Money;
}

export interface SpendTransaction {
  /** The issuer's name for it. */
  transactionReference: string;
  type: "AUTHORIZATION" | "CLEARING" | "REVERSAL" | "REFUND" | "DECLINE" | "FEE";
  /** Above zero; the type says which way. */
  amount: Money;
  /** The issuer's name for the transaction that this one follows. */
  relatedReference: string | null;
  merchant: { name: string; categoryCode: string | null; city: string | null; country: string | null };
  declineReason: string | null;
  occurredAt: Date;
}

export type TransactionPage =
  | { status: "found"; transactions: SpendTransaction[]; unreadable: UnreadableRow[]; nextPage: string | null }
  /** The issuer did not answer, or in words that we do not know. */
  | { status: "unknown" };

/** Something is new about a card or a cardholder, by our name for it or by the issuer's. */
export interface IssuerNotice {
  reference: string;
}

export interface CardDetails {
  number: string;
  cvv: string;
  expiryMonth: number;
  expiryYear: number;
}
