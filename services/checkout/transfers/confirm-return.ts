import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { mustPost } from "../../ledger/index.ts";
import { ledgerKeyOf, type TransferRow } from "../payment-link.ts";

/**
 * Takes money out of suspense after the bank has confirmed that it went back to the payer, or an operator that it went back by hand. Changes nothing for a transfer that is not in
 * suspense. Locks: transfer (the caller may have locked it already), ledger accounts.
 */
export async function confirmReturn(
  tx: Tx,
  { merchantId, id }: Pick<TransferRow, "merchantId" | "id">,
  { byHand = false } = {},
): Promise<void> {
  const [transfer] = await tx
    .select()
    .from(bankTransfers)
    .where(and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.id, id)))
    .for("update");
  const isInSuspense = transfer?.disposition === "suspended" || transfer?.returnState === "owed";
  if (!isInSuspense) return;
  await tx
    .update(bankTransfers)
    .set({ disposition: "returned", returnState: "done", nextReturnAt: null, returnedByHand: byHand })
    .where(and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.id, id)));
  const key = ledgerKeyOf(id);
  await mustPost(tx, merchantId, [{ kind: "reverse", key: `${key}:return`, target: key, meta: { type: "transfer_return" } }]);
}
