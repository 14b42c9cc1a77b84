import type { Money } from "#lib/money.ts";

/** A bank that opens one-time accounts and says what arrives at them. Every adapter keeps to this, whatever its bank calls things. */
export interface Bank {
  readonly name: string;
  /** Idempotent by `reference`: asked again, the bank answers the same account. */
  openAccount(request: AccountRequest): Promise<AccountOutcome>;
  /** Whether it answers at all, and is at work. */
  isUp(): Promise<boolean>;
  /** From now on the bank refuses what arrives. Asking again changes nothing. */
  closeAccount(reference: string): Promise<"closed" | "unknown">;
  /** Sends money back that the bank kept and we do not want. Idempotent by session. */
  returnTransfer(sessionId: string): Promise<"returned" | "pending" | "unknown">;
  /** Checks the signature and translates. Undefined when it is not the bank's word. */
  readNotice(headers: Headers, body: string): BankNotice | undefined;
}

export interface AccountRequest {
  /** Ours. */
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
  /** When the bank opened it: long ago, where this answers a replay. */
  openedAt: Date;
}

export type AccountOutcome =
  | { status: "opened"; account: OneTimeAccount }
  /** The bank said no, or could not be reached at all: nothing was opened. */
  | { status: "refused"; reason: string }
  /** Nobody knows. Ask again with the same reference. */
  | { status: "unknown" };

/** What a bank says of one transfer. */
export interface BankNotice {
  /** The bank's name for this notice: one that comes twice says nothing new. */
  noticeId: string;
  /** The bank's name for the transfer. */
  sessionId: string;
  accountNumber: string;
  amount: Money;
  senderName: string | null;
  /** When the bank took the money. */
  receivedAt: Date;
  /** Why the bank has already sent it back; null where it keeps the money for us. `recalled`: it had kept it, and took it back. */
  returnedBecause: "underpaid" | "overpaid" | "late" | "duplicate" | "recalled" | null;
}
