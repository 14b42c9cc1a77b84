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

/** Credits the wallet in full. The ledger takes from it at once what the merchant still owes. */
export async function creditWallet(tx: Tx, merchantId: string, credit: Credit): Promise<void> {
  await mustPost(tx, merchantId, [walletCredit(credit)]);
}

/** The transfer of `creditWallet`, for a batch that posts more than it. */
export const walletCredit = ({ key, from, amount, meta }: Credit): Transfer => ({
  kind: "post",
  key,
  debit: from,
  credit: WALLET,
  amount,
  meta,
});
