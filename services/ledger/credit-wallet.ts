import type { Tx } from "#db/client.ts";
import type { Money } from "#lib/money.ts";
import { WALLET } from "./accounts.ts";
import { mustPost, type Transfer } from "./post-transfers.ts";

interface Credit {
  key: string;
  from: string;
  amount: Money;
  meta: Record<string, string>;
}

/** Credits the wallet in full. The ledger then pays the merchant's debts from it in the same transaction. */
export async function creditWallet(tx: Tx, merchantId: string, credit: Credit): Promise<void> {
  await mustPost(tx, merchantId, [walletCredit(credit)]);
}

/** Returns the transfer of `creditWallet`, for a batch with other transfers. */
export const walletCredit = ({ key, from, amount, meta }: Credit): Transfer => ({
  kind: "post",
  key,
  debit: from,
  credit: WALLET,
  amount,
  meta,
});
