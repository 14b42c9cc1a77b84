import type { Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { postTransfers, type Transfer } from "../ledger/index.ts";

/** Posts a hold on the wallet, if there is one to post. Throws INSUFFICIENT_BALANCE, which undoes the transaction. */
export async function holdOrRefuse(tx: Tx, merchantId: string, transfers: Transfer[]): Promise<void> {
  if (transfers.length === 0) return;
  const [hold] = await postTransfers(tx, merchantId, transfers);
  if (hold?.rejection === "INSUFFICIENT_FUNDS") {
    throw new Problem("INSUFFICIENT_BALANCE", "Your wallet does not cover this. Add money, then send the request again.");
  }
  if (hold?.result !== "posted") throw new Error(`ledger refused ${hold?.key}: ${hold?.rejection}`);
}
