import type { Money } from "#lib/money.ts";

/**
 * A bank that sends money to accounts at any bank of the country, and knows the names of such accounts. Every adapter implements this interface, and
 * `payout-bank.conformance.ts` tests it.
 *
 * A payout is sent once, under a reference of ours. The outcome is `paid`, `pending`, `failed`, `reversed` or `unknown`, and the adapter throws nothing. Every
 * unclear reply is `unknown`. The service then reads the payout and never sends it again. An adapter checks that a reply is about its request: it
 * returns `unknown` for a reply with another reference, account or amount. Texts in its answers are clean (`withCleanWords`).
 */
export interface PayoutBank {
  readonly name: string;
  readonly capabilities: PayoutCapabilities;
  /** Lists the banks that can get money. */
  listBanks(): Promise<Read<BankInList[]>>;
  /** Asks the account's own bank for the name of its owner. `unknown` also from a bank that answers alike for a wrong number and for an outage. */
  nameAccount(account: AccountToPay): Promise<Read<{ accountName: string }>>;
  pay(order: PayoutOrder): Promise<PayoutOutcome>;
  /** Reads the outcome of a payout by our reference. */
  readPayout(order: PayoutOrder): Promise<PayoutOutcome | { status: "not_found" }>;
}

export interface PayoutCapabilities {
  /** The amounts that a payout can have. */
  amount: { min: Money; max: Money };
  /** A payout that the bank took can be read within this time. A payout that is not found by then was not taken and never will be. */
  visibleWithinMs: number;
}

export interface BankInList {
  /** The adapter's code of the bank: digits, and letters at some providers. Leading zeros count. */
  code: string;
  name: string;
}

export interface AccountToPay {
  bankCode: string;
  /** Ten digits (NUBAN). */
  accountNumber: string;
}

export interface PayoutOrder extends AccountToPay {
  /** Our reference: 16 to 50 lower-case letters, digits and underscores. */
  reference: string;
  amount: Money;
  /** As the account's bank has it. */
  accountName: string;
  /** The text that the payee's bank shows. */
  narration: string;
}

/** The outcome of a payout. `paid`, `failed` and `reversed` are final, but a payout that was paid may come back. */
export type PayoutOutcome =
  /** `sessionId`: the id that both banks know the transfer by, where the bank tells it. */
  | { status: "paid"; sessionId: string | null }
  /** `needs`: the act of an operator at the bank, without which nothing goes on. */
  | { status: "pending"; needs?: string }
  /** No money has gone. */
  | { status: "failed"; reason: string }
  /** All of the money has come back. */
  | { status: "reversed"; reason: string }
  | { status: "unknown" };

/** The answer to a read. */
export type Read<Result> = { status: "found"; found: Result } | { status: "not_found" } | { status: "unknown" };

/** A bank's notice that a payout has changed, by our reference. It is a hint to read the payout and moves no money. */
export interface PayoutHint {
  payoutToRead: string;
}
