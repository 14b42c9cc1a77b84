import { settings } from "#lib/env.ts";
import type { Money } from "#lib/money.ts";
import type { AccountOutcome, Bank } from "#providers/bank.ts";
import { payerOf } from "#providers/payer.ts";
import { accountValidForMs } from "../bank-limits.ts";

/** A bank that loses so many answers about one link opens no further account for it. */
const MAX_ATTEMPTS = 5;

export interface AccountToOpen {
  /** That of the link. */
  reference: string;
  amount: Money;
  accountName: string;
}

export interface Opening {
  /** Our reference for the account: that of the link, or one made of it. */
  accountReference: string;
  /** `exists`: the bank tells no account, with none of the references. */
  outcome: AccountOutcome;
}

/**
 * Opens the one-time account of a link. A bank that has opened an account for a reference in an earlier attempt, whose answer was lost, and does
 * not tell its number, is asked with the next reference. No payer knows the account of the earlier one.
 */
export async function openAccount(bank: Bank, { reference, amount, accountName }: AccountToOpen): Promise<Opening> {
  const { hostname } = new URL(settings().BASE_URL);
  const validForMs = accountValidForMs(bank.capabilities);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const accountReference = attempt === 1 ? reference : `${reference}-${attempt}`;
    const request = { reference: accountReference, amount, accountName, validForMs, payer: payerOf(accountReference, hostname) };
    const outcome = await bank.openAccount(request);
    if (outcome.status !== "exists") return { accountReference, outcome };
  }
  return { accountReference: reference, outcome: { status: "exists" } };
}
