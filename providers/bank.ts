import type { Money } from "#lib/money.ts";

/** A bank that opens one-time accounts and reports what arrives at them. Every adapter implements this interface. */
export interface Bank {
  readonly name: string;
  /** Opens an account. Idempotent by `reference`: a repeated request returns the same account. */
  openAccount(request: AccountRequest): Promise<AccountOutcome>;
  /** Returns whether the bank answers and is open for work. */
  isUp(): Promise<boolean>;
  /** Closes an account: from now on the bank refuses transfers to it. Idempotent. */
  closeAccount(reference: string): Promise<"closed" | "unknown">;
  /** Sends back a transfer that the bank kept and we do not want. Idempotent by session. */
  returnTransfer(sessionId: string): Promise<"returned" | "pending" | "unknown">;
  /** Reads what has arrived at an account, by our reference for it, because a notice can be lost. */
  readAccount(reference: string): Promise<AccountReading>;
  /** Verifies and parses a notice. Returns undefined unless the bank signed it. */
  readNotice(headers: Headers, body: string): BankNotice | undefined;
}

export interface AccountRequest {
  /** Our reference. */
  reference: string;
  amount: Money;
  accountName: string;
  validForMs: number;
}

export interface OneTimeAccount {
  providerReference: string;
  accountNumber: string;
  accountName: string;
  bankName: string;
  /** The bank's own page for payers. */
  checkoutUrl: string;
  /** When the bank opened it: earlier, if the request was a retry. */
  openedAt: Date;
}

export type AccountOutcome =
  | { status: "opened"; account: OneTimeAccount }
  /** The bank refused, or could not be reached at all: no account was opened. */
  | { status: "refused"; reason: string }
  /** The outcome is not known. Send the request again with the same reference. */
  | { status: "unknown" };

export type AccountReading =
  /** Every transfer to the account, as the bank's latest notice of it says it. */
  | { status: "read"; transfers: BankNotice[] }
  /** The bank has no such account. */
  | { status: "not_found" }
  | { status: "unknown" };

/** A bank's notice of one transfer. */
export interface BankNotice {
  /** The bank's id of this notice. A repeated id has nothing new. */
  noticeId: string;
  /** The bank's id of the transfer. */
  sessionId: string;
  accountNumber: string;
  amount: Money;
  senderName: string | null;
  /** The name of the sender's bank, and the last four digits of the sender's account. Not every bank tells them. */
  senderBank: string | null;
  senderAccountLast4: string | null;
  /** When the bank took the money. */
  receivedAt: Date;
  /** Why the bank sent the money back; null if it keeps the money for us. `recalled`: it had kept the money and took it back later. */
  returnedBecause: "underpaid" | "overpaid" | "late" | "duplicate" | "recalled" | null;
}
