import { and, eq, isNotNull } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { verb } from "../../verb.ts";

/**
 * Removes the block from a card, so that money can move again. Writes the reason to the audit. Returns false if no such card is blocked.
 */
export const resolveBlock = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, cardId: string, reason: string): Promise<boolean> => {
    const why = requireReason(reason);
    return transaction(async (tx) => {
      const [card] = await tx
        .select({ merchantId: cards.merchantId, blockedReason: cards.blockedReason })
        .from(cards)
        .where(and(eq(cards.id, cardId), isNotNull(cards.blockedAt)))
        .for("update");
      if (!card) return false;
      const { merchantId, blockedReason } = card;
      await tx
        .update(cards)
        .set({ blockedAt: null, blockedReason: null })
        .where(and(eq(cards.merchantId, merchantId), eq(cards.id, cardId)));
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: "card.block_resolved", subject: cardId, reason: why },
        ...{ before: { blocked_reason: blockedReason }, after: { blocked_reason: null } },
      });
      return true;
    });
  },
);
