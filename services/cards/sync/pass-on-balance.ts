import { transaction } from "#db/client.ts";
import { mustPost } from "../../ledger/index.ts";
import type { CardRow } from "../card.ts";
import { bringToZero } from "../operations/settle-termination.ts";
import { balanceOf, lockCard, processingOf } from "../rows.ts";

/**
 * Settles the balance of a terminated card with the wallet: the wallet gets a surplus, or pays a deficit. The caller has recorded the whole
 * list of spend, read from the issuer after the termination was settled. Does nothing while an operation of the card is `processing`: the
 * last operation that becomes final makes the card due again.
 */
export async function passOnBalance({ merchantId, id }: CardRow): Promise<void> {
  await transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, id);
    if (card.status !== "TERMINATED" || (await processingOf(tx, card)).length > 0) return;
    const balance = await balanceOf(tx, card);
    const transfers = await bringToZero(tx, card, balance.minor);
    if (transfers.length > 0) await mustPost(tx, merchantId, transfers);
  });
}
