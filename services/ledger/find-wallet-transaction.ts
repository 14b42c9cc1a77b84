import { sql } from "#db/client.ts";
import type { MerchantContext } from "../context.ts";
import { rowOf } from "../list-window.ts";
import { WALLET } from "./accounts.ts";
import { firstEntrySince, MAX_OUT_OF_ORDER_MS } from "./first-entry-since.ts";
import { type RawEntry, transactionFrom, type WalletTransaction } from "./list-wallet-transactions.ts";
import { withPurpose } from "./purpose.ts";

/**
 * Returns the posted wallet entry of a transfer. No index leads from a transfer to its entries, because each posting would write it: the
 * time of the transfer bounds the number of the entry, so this reads the wallet's entries of two minutes.
 */
export async function findWalletTransaction({ merchant }: MerchantContext, transferId: string): Promise<WalletTransaction | undefined> {
  const query = sql();
  const [transfer] = await query<
    { created_at: string }[]
  >`${rowOf(query, merchant.id, { table: "ledger_transfers", column: "id", is: query`${transferId}` })}`;
  if (!transfer) return undefined;
  const madeAtMs = new Date(transfer.created_at).getTime();
  const [first, end] = await Promise.all([
    firstEntrySince(merchant.id, WALLET, new Date(madeAtMs - MAX_OUT_OF_ORDER_MS)),
    firstEntrySince(merchant.id, WALLET, new Date(madeAtMs + MAX_OUT_OF_ORDER_MS)),
  ]);
  const entry = query`
    select * from ledger_entries
    where merchant_id = ${merchant.id} and account = ${WALLET} and seq >= ${String(first)}::bigint and seq < ${String(end)}::bigint
      and transfer_id = ${transferId} and posted <> 0
    order by seq desc limit 1`;
  const [row] = await query<RawEntry[]>`${withPurpose(query, merchant.id, entry)}`;
  return row && transactionFrom(row);
}
