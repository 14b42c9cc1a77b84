import { transaction } from "#db/client.ts";
import { mustPost } from "../ledger/index.ts";
import type { CardRow } from "./card.ts";
import { tidy } from "./end-of-card.ts";
import { balanceOf, lockCard, processingOf } from "./rows.ts";

/**
 * Moves what is left on a terminated card to the wallet, or has the wallet pay what the card lacks. Called when
 * everything that the issuer lists is recorded, from a list that was read after the end was settled. While an operation is processing it
 * does nothing: the last one that becomes final makes the card due again.
 */
export async function passOnWhatIsLeft({ merchantId, id }: CardRow): Promise<void> {
  await transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, id);
    if (card.status !== "TERMINATED" || (await processingOf(tx, card)).length > 0) return;
    const balance = await balanceOf(tx, card);
    const transfers = await tidy(tx, card, { left: balance.minor, returned: 0n });
    if (transfers.length > 0) await mustPost(tx, merchantId, transfers);
  });
}
