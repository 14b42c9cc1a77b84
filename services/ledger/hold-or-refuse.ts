import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { formatMoney, money } from "#lib/money.ts";
import { Problem } from "#lib/problem.ts";
import { WALLET } from "./accounts.ts";
import { postTransfers, type Transfer } from "./post-transfers.ts";

/** Posts a hold on the wallet; does nothing without transfers. Throws INSUFFICIENT_BALANCE, which rolls the transaction back. */
export async function holdOrRefuse(tx: Tx, merchantId: string, transfers: Transfer[]): Promise<void> {
  const [wanted] = transfers;
  if (!wanted) return;
  const [hold] = await postTransfers(tx, merchantId, transfers);
  if (hold?.result === "posted") return;
  if (hold?.rejection !== "INSUFFICIENT_FUNDS" || wanted.kind !== "hold")
    throw new Error(`ledger refused ${hold?.key}: ${hold?.rejection}`);
  const available = formatMoney(await walletAvailable(tx, merchantId));
  throw new Problem(
    "INSUFFICIENT_BALANCE",
    `This costs ${formatMoney(wanted.amount)}, and ${available} of your wallet is available. Add money, then send the request again.`,
  );
}

async function walletAvailable(tx: Tx, merchantId: string) {
  const [row] = await tx
    .select({ minor: ledgerAccounts.available })
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.merchantId, merchantId), eq(ledgerAccounts.account, WALLET)));
  return money(row?.minor ?? 0n, "NGN");
}
