import { and, eq, ne } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { Problem } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import type { Card } from "../card.ts";
import { getCard } from "./read-cards.ts";

/** Gives a card another nickname, or none. Throws RESOURCE_NOT_FOUND and CARD_TERMINATED. */
export const renameCard = verb(
  { permission: "cards:write" },
  async (ctx: MerchantContext, id: string, nickname: string | null): Promise<Card> => {
    const renamed = await db()
      .update(cards)
      .set({ nickname })
      .where(and(eq(cards.merchantId, ctx.merchant.id), eq(cards.id, id), ne(cards.status, "TERMINATED")))
      .returning({ id: cards.id });
    const card = await getCard(ctx, id);
    if (renamed.length === 0) throw new Problem("CARD_TERMINATED", "This card is terminated. Nothing about it changes any more.");
    return card;
  },
);
