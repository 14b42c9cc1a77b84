import { and, eq, isNull, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { log } from "#lib/log.ts";
import { raiseAlert, raiseOperatorAlert } from "../../alerts/index.ts";
import { modeOf } from "../../providers/index.ts";
import type { CardRow } from "../card.ts";

/**
 * Blocks a card whose issuer contradicts itself: fund, unload and terminate throw CARD_NOT_ACTIVE until an operator resolves the block
 * (`resolveBlock`). Alerts the merchant and the operators, once per block. The caller has locked the card.
 */
export async function blockCard(tx: Tx, { merchantId, id, provider }: CardRow, reason: string): Promise<void> {
  const [blocked] = await tx
    .update(cards)
    .set({ blockedAt: sql`now()`, blockedReason: reason })
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id), isNull(cards.blockedAt)))
    .returning({ id: cards.id });
  if (!blocked) return;
  log().fatal({ cardId: id, merchantId, reason }, "a card is blocked: its issuer said something that cannot be");
  await raiseAlert(tx, merchantId, {
    type: "card.blocked",
    resourceId: id,
    message:
      "The card's issuer contradicts itself. Until our people have looked into it, the card cannot be funded, unloaded or terminated.",
  });
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "card.blocked",
    resourceId: id,
    message: `Card ${id} of ${merchantId}: ${reason} When it is clear: npm run oja -- cards resolve ${id} --reason TEXT`,
  });
}
