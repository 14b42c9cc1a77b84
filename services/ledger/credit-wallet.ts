import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import type { Money } from "#lib/money.ts";
import { RECEIVABLE, WALLET } from "./accounts.ts";
import { mustPost, type Transfer } from "./post-transfers.ts";

interface Credit {
  key: string;
  from: string;
  amount: Money;
  meta: Record<string, string>;
}

/** Credits the wallet in full, and takes what the merchant still owes us from it. */
export async function creditWallet(tx: Tx, merchantId: string, credit: Credit): Promise<void> {
  await mustPost(tx, merchantId, await walletCredit(tx, merchantId, credit));
}

/** The transfers of `creditWallet`, for a batch that posts more than them. The last may find nothing due: do not link anything to it. */
export async function walletCredit(tx: Tx, merchantId: string, { key, from, amount, meta }: Credit): Promise<Transfer[]> {
  const transfers: Transfer[] = [{ kind: "post", key, debit: from, credit: WALLET, amount, meta }];
  if (await owesAnything(tx, merchantId)) {
    const recoveryMeta = { type: "receivable_recovery", reference: meta.reference ?? key };
    transfers.push({ kind: "recover", key: `${key}:recovery`, debit: WALLET, credit: RECEIVABLE, amount, meta: recoveryMeta });
  }
  // One call for both: its locks are taken in one order. Read without a lock, the debt may have been paid meanwhile (NOTHING_DUE),
  // or have arisen meanwhile, and then the next credit pays it.
  return transfers;
}

async function owesAnything(tx: Tx, merchantId: string): Promise<boolean> {
  const [receivable] = await tx
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.merchantId, merchantId), eq(ledgerAccounts.account, RECEIVABLE)));
  return receivable !== undefined && receivable.postedDebits > receivable.postedCredits + receivable.pendingCredits;
}
