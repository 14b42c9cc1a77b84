import type { Tx } from "#db/client.ts";
import type { CardRow } from "./card.ts";
import { isEnding } from "./rows.ts";
import type { Obstacles } from "./state-machine.ts";

/** What stands in the way of an action on a card that is locked. */
export const obstaclesOf = async (tx: Tx, card: CardRow): Promise<Obstacles> => ({
  isEnding: await isEnding(tx, card),
  isBlocked: card.blockedAt !== null,
});
