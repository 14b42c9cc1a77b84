import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { purchaseExceptions, purchases } from "#db/schema/vtu.ts";
import { log } from "#lib/log.ts";
import { appendEvents } from "../events/index.ts";
import { mustPost, type Transfer } from "../ledger/index.ts";
import { applied, toEvent } from "./change.ts";
import { openSecrets, sealSecrets } from "./delivery.ts";
import { chargeAgain, giveBack, resolveHold } from "./journal.ts";
import type { PurchaseRow } from "./purchase.ts";
import { LEASE_MS, LOOKED_AT_AGAIN_AFTER_MS } from "./schedule.ts";
import { type Final, type Transition, transitionOf } from "./transition.ts";

/**
 * Settles a purchase by what was read of it, in the turn in which it was read; if somebody has begun to read since, theirs is the newer
 * word. Where it was final already and is told otherwise, money moves again, in the open. False where nothing changed. Locks: purchase,
 * ledger accounts, event counter.
 */
export async function settleReading(
  { merchantId, id }: Pick<PurchaseRow, "merchantId" | "id">,
  word: Final,
  { turn, lookAgainAfterMs = LOOKED_AT_AGAIN_AFTER_MS }: { turn: number; lookAgainAfterMs?: number },
): Promise<boolean> {
  return transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(purchases)
      .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id)))
      .for("update");
    if (!before) throw new Error(`no purchase ${id} of ${merchantId}`);
    if (before.turn !== turn) return false;
    const transition = transitionOf(before, word);
    if (!transition) return supplement(tx, before, word);
    if (transition.kind === "ignored") {
      await noteException(tx, before, transition);
      return false;
    }
    const after = applied(before, transition);
    await mustPost(tx, merchantId, [transferOf(before, after, transition)]);
    await store(tx, after, lookAgainAfterMs);
    if (transition.kind !== "settled") await noteException(tx, before, transition);
    await appendEvents(tx, merchantId, [toEvent(after, transition.kind)]);
    return true;
  });
}

function transferOf(before: PurchaseRow, after: PurchaseRow, { kind }: Transition): Transfer {
  const { charged, corrections } = after;
  if (kind === "settled") return resolveHold(after, charged);
  return kind === "late_success"
    ? chargeAgain(after, charged - before.charged, corrections)
    : giveBack(after, before.charged - charged, corrections);
}

async function store(tx: Tx, after: PurchaseRow, lookAgainAfterMs: number): Promise<void> {
  const { merchantId, id, status, charged, failureReason, secrets, units, corrections, attempts, completedAt } = after;
  await tx
    .update(purchases)
    .set({
      ...{ status, charged, failureReason, secrets, units, corrections, attempts, completedAt },
      // A hint that came meanwhile is looked at still.
      nextAttemptAt: sql`case
        when next_attempt_at <= clock_timestamp() or next_attempt_at < last_turn_at + ${LEASE_MS} * interval '1 ms' then next_attempt_at
        else now() + ${lookAgainAfterMs} * interval '1 ms' end`,
    })
    .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id)));
}

/** A token that comes after the first, or its units: kept, and nothing else changes. */
async function supplement(tx: Tx, purchase: PurchaseRow, word: Final): Promise<false> {
  if (word.status !== "delivered" || purchase.status !== "success") return false;
  const { tokens, units } = word.delivery;
  const hasMore = tokens.length > openSecrets(purchase).tokens.length;
  if (!hasMore && (units === null || purchase.units !== null)) return false;
  await tx
    .update(purchases)
    .set({ units: units ?? purchase.units, ...(hasMore && { secrets: sealSecrets(purchase, word.delivery) }) })
    .where(and(eq(purchases.merchantId, purchase.merchantId), eq(purchases.id, purchase.id)));
  return false;
}

async function noteException(tx: Tx, before: PurchaseRow, { kind, charged, reason: said }: Transition): Promise<void> {
  if (kind === "settled") return;
  const { merchantId, id: purchaseId } = before;
  const amount = charged > before.charged ? charged - before.charged : before.charged - charged;
  const reason = said ?? `It was ${before.status}, and the provider now says that it was delivered.`;
  const exception = { merchantId, purchaseId, correction: before.corrections + 1, kind, amount, reason };
  await tx.insert(purchaseExceptions).values(exception).onConflictDoNothing();
  const level = kind === "ignored" ? "fatal" : "warn";
  log()[level]({ merchantId, purchaseId, kind }, "an aggregator changed its word on a purchase that was final");
}
