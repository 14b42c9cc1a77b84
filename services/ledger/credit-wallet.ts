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

/** Credits the wallet in full, then takes what the merchant still owes us from it. */
export async function creditWallet(tx: Tx, merchantId: string, { key, from, amount, meta }: Credit): Promise<void> {
  await mustPost(tx, merchantId, [{ kind: "post", key, debit: from, credit: WALLET, amount, meta }]);
  if (!(await owesAnything(tx, merchantId))) return;
  const recovery: Transfer = {
    kind: "recover",
    key: `${key}:recovery`,
    debit: WALLET,
    credit: RECEIVABLE,
    amount,
    meta: { type: "receivable_recovery", reference: meta.reference ?? key },
  };
  await mustPost(tx, merchantId, [recovery]);
}

// The wallet row is locked by the credit above, and every posting to the receivable locks the wallet first, so this cannot change before the recovery.
async function owesAnything(tx: Tx, merchantId: string): Promise<boolean> {
  const [receivable] = await tx
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.merchantId, merchantId), eq(ledgerAccounts.account, RECEIVABLE)));
  return receivable !== undefined && receivable.postedDebits > receivable.postedCredits + receivable.pendingCredits;
}
