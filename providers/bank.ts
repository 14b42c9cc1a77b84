import type { Money } from "#lib/money.ts";
import type { LiveChecks } from "./live-checks.ts";
import type { Payer } from "./payer.ts";
import type { PayoutHint } from "./payout-bank.ts";
import type { RefundHint, Refunds } from "./refunds.ts";

/**
 * A bank that opens one-time accounts and says what arrives at them. Every adapter implements this interface. An account is named by our
 * reference for it: not every bank names the number in its notices, and a bank may give a number again.
 */
export interface Bank {
  readonly name: string;
  readonly capabilities: BankCapabilities;
  /** Opens at most one account for a reference. A repeated request returns the same account, or `exists` from a bank that does not tell it again. */
  openAccount(request: AccountRequest): Promise<AccountOutcome>;
  /** Returns whether the bank answers and is open for work. */
  isUp(): Promise<boolean>;
  /** Closes an account: from now on the bank refuses transfers to it. Idempotent. `unknown` from a bank that cannot close. */
  closeAccount(reference: string): Promise<"closed" | "unknown">;
  /** Sends back a transfer that the bank kept and we do not want. Idempotent by session. `unknown` from a bank that cannot. */
  returnTransfer(transfer: KeptTransfer): Promise<ReturnOutcome>;
  /** Reads what has arrived at an account, because a notice can be lost. */
  readAccount(account: AccountToRead): Promise<AccountReading>;
  /** Reads the bank's list of a day in Lagos (`2026-11-28`) that is over. `unknown` from a bank that has none. */
  readStatement(day: string): Promise<StatementReading>;
  /**
   * Verifies and parses a notice: a statement about one transfer, or only a hint to read an account, a payout or refunds, or `irrelevant` to all.
   * Returns undefined unless the bank signed it.
   */
  readNotice(headers: Headers, body: string): NoticeOfBank | undefined;
  /** Sends money of payments back to the accounts that it came from. Null for a bank that does not. */
  readonly refunds: Refunds | null;
  /** What must be set up at it before merchants use it. Null for a bank of test mode. */
  readonly live: LiveChecks | null;
}

export type NoticeOfBank = BankNotice | AccountHint | PayoutHint | RefundHint | "irrelevant";

/** Why money does not pay for its account. */
export type RefusalReason = "underpaid" | "overpaid" | "late" | "duplicate";

/** What a bank can do. `services/checkout/bank-limits.ts` decides what follows for links. */
export interface BankCapabilities {
  /** For how long an account can be open. */
  validForMs: { min: number; max: number };
  /** The amounts that an account can ask for. */
  amount: { min: Money; max: Money };
  canClose: boolean;
  /**
   * The money that the bank sends back by itself. `told`: in notices and readings, with its amount. `told in a notice`: in a notice
   * alone, with its amount. `told in part`: in notices or readings, without its amount. The bank keeps money that is not here.
   */
  sendsBack: Partial<Record<RefusalReason, "told" | "told in a notice" | "told in part" | "untold">>;
  /** Whether it sends kept money back on request. */
  canReturn: boolean;
  /** Whether a payer must send more than the amount of the account, because the bank adds its fee. */
  addsPayerFee: boolean;
  /** Whether the account has a name of the bank's choice instead of ours. */
  namesAccount: boolean;
  /** Whether the bank lists the money of a day, also of accounts that are none of ours. */
  hasStatement: boolean;
}

export interface AccountRequest {
  /** Our reference for the account: letters, digits and hyphens. */
  reference: string;
  amount: Money;
  accountName: string;
  validForMs: number;
  /** Banks ask for a payer. No two accounts have the same email. */
  payer: Payer;
}

export interface AccountToRead {
  /** Our reference for the account. */
  reference: string;
  /** The amount that it asks for: not every bank tells the amount of a transfer that is exact. */
  amount: Money;
}

export interface OneTimeAccount {
  accountNumber: string;
  accountName: string;
  bankName: string;
  /** The bank's own page for payers, where it has one. */
  checkoutUrl: string | null;
  /** When the bank opened it: earlier, if the request was a retry. */
  openedAt: Date;
}

export type AccountOutcome =
  | { status: "opened"; account: OneTimeAccount }
  /** The bank has opened an account for this reference, and does not tell its number. No payer knows it. */
  | { status: "exists" }
  /** The bank refused, or could not be reached at all: no account was opened. */
  | { status: "refused"; reason: string }
  /** The outcome is not known. Send the request again with the same reference. */
  | { status: "unknown" };

export type AccountReading =
  /** Every transfer to the account of which the bank tells, as its latest notice says it, or would say it. */
  | { status: "read"; transfers: BankNotice[] }
  /** The bank has no such account. */
  | { status: "not_found" }
  /** `unclear`: the bank's answer, in words for operators, leaves open whether money that paid is still ours. */
  | { status: "unknown"; unclear?: string };

export type StatementReading =
  /** Everything that moved at the bank on that day. */
  { status: "read"; lines: StatementLine[] } | { status: "unknown" };

/** Money that came to the bank for us (`in`), or that the bank sent back (`out`). */
export interface StatementLine {
  sessionId: string;
  /** Our reference for the account, where the bank tells it. */
  accountReference: string | null;
  direction: "in" | "out";
  amount: Money;
}

/** A transfer that the bank kept. */
export interface KeptTransfer {
  sessionId: string;
  /** Our reference for the account at which it arrived. Null where an earlier version of Oja stored the transfer. */
  accountReference: string | null;
  amount: Money;
}

export type ReturnOutcome =
  | "returned"
  /** The bank has the order. */
  | "pending"
  /** The bank could not send the money back, and still has it. */
  | "failed"
  /** The bank waits until somebody tells it the payer's account. */
  | "needs_details"
  | "unknown";

/** A bank's statement about one transfer. */
export interface BankNotice {
  /** The bank's id of this notice. A repeated id has nothing new. */
  noticeId: string;
  /** The bank's id of the transfer. */
  sessionId: string;
  /** Our reference for the account. */
  accountReference: string;
  /** Not every bank tells it. */
  accountNumber: string | null;
  /** Null where the bank does not tell it, which it may only for money that it sends back. */
  amount: Money | null;
  senderName: string | null;
  /** The name of the sender's bank, and the last four digits of the sender's account. Not every bank tells them. */
  senderBank: string | null;
  senderAccountLast4: string | null;
  /** When the bank took the money. Null where the bank does not tell it, which it may only for money that it sends back. */
  receivedAt: Date | null;
  /**
   * Why the bank sends the money back, or has; null if it keeps the money for us. `recalled`: it had kept the money and took it back later.
   * `late_or_duplicate`: it does not say which. `other`: none of these reasons, or one that it does not tell.
   */
  returnedBecause: RefusalReason | "recalled" | "late_or_duplicate" | "other" | null;
}

/** A bank's notice that does not say what arrived, or not in full: the account must be read. */
export interface AccountHint {
  /** Our reference for the account. */
  accountToRead: string;
}
