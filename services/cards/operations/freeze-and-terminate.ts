import { and, eq, inArray } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import { newId } from "#lib/ids.ts";
import { Problem } from "#lib/problem.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import type { MerchantContext } from "../../context.ts";
import { assertLease, markExecuted } from "../../idempotency/index.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { verb } from "../../verb.ts";
import type { Card, CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import { getCard } from "../cards/read-cards.ts";
import { findOperation, lockNamedCard, obstaclesOf, readOperationAgain } from "../rows.ts";
import { requireAllowed } from "../state-machine.ts";
import { callIssuer, claimOperation } from "./claim-and-call.ts";
import { resolveOperation } from "./resolve.ts";

type Change = "freeze" | "unfreeze" | "terminate";

/** The card, and whether the issuer has not decided the change yet. */
export interface Changed {
  card: Card;
  isProcessing: boolean;
}

/**
 * Freezes, unfreezes or terminates a card. If the card already has the status, returns it unchanged. If the same change is `processing`,
 * starts no second one. Throws RESOURCE_NOT_FOUND, CARD_TERMINATED, CARD_NOT_ACTIVE, REQUEST_IN_PROGRESS (the opposite change is
 * `processing`), PROVIDER_ERROR if the issuer refuses, and in live mode PERMISSION_DENIED for unfreezing while the member is restricted.
 */
export const changeCard = verb(
  { permission: "cards:write" },
  async (ctx: MerchantContext, cardId: string, change: Change): Promise<Changed> => {
    const id = ctx.resourceId ?? newId("cardOperation");
    const begun = ctx.resumed ? await findOperation(ctx.merchant.id, id) : undefined;
    if (begun) {
      if (begun.status === "processing") await resolveOperation(begun);
      return answer(ctx, cardId, await readOperationAgain(db(), begun));
    }
    // The first attempt found the card in the wanted status, or the same change processing. The card may have changed since then.
    if (ctx.isExecuted) return answer(ctx, cardId, undefined);
    if (change === "unfreeze") await requireUnrestrictedInLive(ctx);
    const elapsedMs = startStopwatch();
    const { card, operation, isNew } = await transaction((tx) => claim(tx, ctx, { id, cardId, change }));
    return answer(ctx, cardId, isNew && operation ? await callIssuer(operation, { card, elapsedMs }) : operation);
  },
);

interface ClaimedChange {
  card: CardRow;
  /** Undefined if the card already has the status. */
  operation: OperationRow | undefined;
  isNew: boolean;
}

async function claim(
  tx: Tx,
  ctx: MerchantContext,
  { id, cardId, change }: { id: string; cardId: string; change: Change },
): Promise<ClaimedChange> {
  await assertLease(tx, ctx);
  const card = await lockNamedCard(tx, ctx, cardId);
  const isDue = requireAllowed(card.status, change, await obstaclesOf(tx, card));
  const running = await findRunning(tx, card, change);
  if (running && running.type !== change) {
    throw new Problem("REQUEST_IN_PROGRESS", `A ${running.type} of this card is still being made. Ask again in a moment.`, {
      headers: { "Retry-After": "2" },
    });
  }
  if (!isDue || running) {
    // This request stores no operation under its id, so a retry would not find one.
    await markExecuted(tx, ctx);
    return { card, operation: isDue ? running : undefined, isNew: false };
  }
  return { card, operation: await claimOperation(tx, ctx, { id, merchantId: card.merchantId, cardId, type: change }), isNew: true };
}

async function findRunning(tx: Tx, { merchantId, id }: CardRow, change: Change): Promise<OperationRow | undefined> {
  const types = change === "terminate" ? (["terminate"] as const) : (["freeze", "unfreeze"] as const);
  const [running] = await tx
    .select()
    .from(cardOperations)
    .where(
      and(
        eq(cardOperations.merchantId, merchantId),
        eq(cardOperations.cardId, id),
        eq(cardOperations.status, "processing"),
        inArray(cardOperations.type, [...types]),
      ),
    );
  return running;
}

async function answer(ctx: MerchantContext, cardId: string, operation: OperationRow | undefined): Promise<Changed> {
  if (operation?.status === "failed") {
    throw new Problem("PROVIDER_ERROR", `${operation.failureReason} The card is as it was.`, {
      outcome: "not_executed",
    });
  }
  return { card: await getCard(ctx, cardId), isProcessing: operation?.status === "processing" };
}
