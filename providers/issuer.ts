import type { Money } from "#lib/money.ts";
import type { UnreadableRow } from "./read-rows.ts";

/**
 * A card issuer. Every adapter implements this interface, and `issuer.conformance.ts`, `issuer-spend.conformance.ts` and
 * `issuer-answers.conformance.ts` test it.
 *
 * An adapter checks that a reply is about its request: it returns `unknown` for a reply with another reference, card, kind or amount. Texts
 * in its answers are clean (`withCleanWords`).
 *
 * A write is sent once, under a reference of ours. The outcome is `completed`, `pending`, `failed` or `unknown`, and the adapter throws
 * nothing. Every unclear reply is `unknown`. The service then reads the operation and never sends it again, so an issuer needs no
 * idempotency.
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
  /** Takes at most `amount` off the card. Returns the amount taken. */
  unload(request: MoneyRequest): Promise<OperationOutcome>;
  freeze(request: CardRequest): Promise<OperationOutcome>;
  unfreeze(request: CardRequest): Promise<OperationOutcome>;
  /** Terminates the card for good. Takes its balance, less open authorizations, off the card. */
  terminate(request: CardRequest): Promise<OperationOutcome>;
  /** Reads the outcome of a write by our reference. */
  readOperation(question: OperationQuestion): Promise<OperationOutcome | { status: "not_found" }>;
  /** Returns one page of a card's spend, in the order of `capabilities.spendOrder`. */
  listTransactions(cardReference: string, page: string | null): Promise<TransactionPage>;
  /** Verifies and parses a notice. Returns undefined for an invalid one. A notice is a hint to read its subject and moves no money. */
  readNotice(headers: Headers, body: string): IssuerNotice | undefined;
  /** Returns the number and CVV, to show once and never to store. */
  revealDetails(cardReference: string): Promise<Found<CardDetails>>;
}

export type Brand = "VISA" | "MASTERCARD";

export interface Capabilities {
  brands: readonly Brand[];
  /** An operation that the issuer took can be read within this time. An operation that is not found by then was not taken and never will be. */
  visibleWithinMs: number;
  /**
   * The order of `listTransactions`. `recorded`: the last recorded comes first, so after a page of known rows no new ones follow. `occurred`:
   * the latest time of spend comes first, so a transaction that the issuer records late may follow known ones.
   */
  spendOrder: "recorded" | "occurred";
  /** After this time the issuer releases an authorization that was neither cleared nor reversed, without a notice. */
  authorizationsLastMs: number;
}

/** The answer to a write. Only `completed` and `failed` are final. */
export type OperationOutcome =
  | {
      status: "completed";
      providerReference: string;
      /** The issued card; null for other operations. */
      issued: IssuedCard | null;
      /** US dollars that an unload or termination took off the card; below zero if a terminated card was overdrawn. Null for other operations. */
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
  /** Our reference. */
  reference: string;
  /** The issuer's name for the card; null while it is being issued. */
  cardReference: string | null;
  /** US dollars for a funding or an unload; else null. */
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

/** Names a cardholder by the issuer's id, or by our reference while that id is null. */
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
  /** The balance that can be spent, reduced by open authorizations. */
  balance: Money;
}

export interface SpendTransaction {
  /** The issuer's name for the transaction. */
  transactionReference: string;
  type: "AUTHORIZATION" | "CLEARING" | "REVERSAL" | "REFUND" | "DECLINE" | "FEE";
  /** Not negative: the service quarantines a row with a negative amount. The type gives the direction. */
  amount: Money;
  /** The issuer's name for the transaction that this one follows. */
  relatedReference: string | null;
  merchant: { name: string; categoryCode: string | null; city: string | null; country: string | null };
  declineReason: string | null;
  occurredAt: Date;
}

export type TransactionPage =
  | { status: "found"; transactions: SpendTransaction[]; unreadable: UnreadableRow[]; nextPage: string | null }
  /** The issuer did not answer, or its answer could not be parsed. */
  | { status: "unknown" };

/** News about a card, a cardholder or an operation, by our reference or by the issuer's. */
export interface IssuerNotice {
  reference: string;
}

export interface CardDetails {
  number: string;
  cvv: string;
  expiryMonth: number;
  expiryYear: number;
}
