import type { Money } from "#lib/money.ts";
import { WALLET } from "./accounts.ts";
import type { Transfer } from "./post-transfers.ts";

interface Credit {
  key: string;
  from: string;
  amount: Money;
  meta: Record<string, string>;
}

/** Returns the transfer that credits the wallet in full. The ledger then pays the merchant's debts from it in the same transaction. */
export const walletCredit = ({ key, from, amount, meta }: Credit): Transfer => ({
  kind: "post",
  key,
  debit: from,
  credit: WALLET,
  amount,
  meta,
});
