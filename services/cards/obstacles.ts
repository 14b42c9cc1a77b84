import type { Database, Tx } from "#db/client.ts";
import type { CardRow } from "./card.ts";
import { isEnding } from "./rows.ts";
import type { Obstacles } from "./state-machine.ts";

/** Returns the obstacles to an action on a card. A caller that acts on them has locked the card. */
export const obstaclesOf = async (tx: Tx | Database, card: CardRow): Promise<Obstacles> => ({
  isEnding: await isEnding(tx, card),
  isBlocked: card.blockedAt !== null,
});
