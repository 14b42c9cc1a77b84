import { and, eq, isNotNull, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import type { Issuer, OperationQuestion } from "#providers/issuer.ts";
import type { SystemContext } from "../../context.ts";
import { issuers } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import { findCardRow, isOperation, type OperationKey, processingOf } from "../rows.ts";
import { LEASE_MS, MAX_CALL_MS, MAX_CLAIM_TO_CALL_MS, recheckAfterMs } from "../schedule.ts";
import { type SettleOptions, settleAnswer, settleOperation } from "./settle.ts";

/**
 * Reads the outcome of an operation from its issuer and settles it. If the issuer does not list the operation although it would by now, the
 * operation never reached it and is settled as lost. The issuer is never asked to execute an operation twice.
 */
export async function resolveOperation(operation: OperationRow, options: SettleOptions = { countsAsAttempt: false }): Promise<void> {
  const { issuer, card } = await issuerOf(operation);
  const fence = await readFence(operation, issuer);
  const reading = await issuer.readOperation(questionOf(operation, card));
  if (reading.status !== "not_found") return settleAnswer(issuer, operation, reading, options);
  await settleOperation(operation, fence.isVisible ? { status: "lost", askedAt: fence.askedAt } : { status: "unknown" }, options);
}

async function issuerOf({ merchantId, cardId, id }: OperationRow): Promise<{ issuer: Issuer; card: CardRow }> {
  const card = await findCardRow(merchantId, cardId);
  const issuer = card && issuers.named(card.provider);
  if (!issuer) throw new Error(`operation ${id} is at an issuer that is not known here`);
  return { issuer, card };
}

const questionOf = ({ type, reference, amount }: OperationRow, { providerReference }: CardRow): OperationQuestion => ({
  type,
  reference,
  cardReference: providerReference,
  amount: type === "fund" || type === "unload" ? money(amount, "USD") : null,
});

/** The state of the row before the issuer is read. */
interface Fence {
  /** The fencing token: `settleOperation` accepts that the operation is lost only if the row still has this value. */
  askedAt: Date | null;
  /** The issuer would list the operation by now if it had ever received it. */
  isVisible: boolean;
}

/**
 * Reads the fence, before the issuer is read. The call to the issuer starts within `MAX_CLAIM_TO_CALL_MS` of the claim or never, so the age of
 * an operation counts from its claim (`created_at`): `asked_at` may be older than the call that follows it.
 */
async function readFence(operation: OperationRow, { capabilities }: Issuer): Promise<Fence> {
  const listedAfterMs = MAX_CLAIM_TO_CALL_MS + MAX_CALL_MS + capabilities.visibleWithinMs;
  const [fence] = await db()
    .select({
      askedAt: cardOperations.askedAt,
      isVisible: sql<boolean>`now() - created_at > case when asked_at is null then ${MAX_CLAIM_TO_CALL_MS}::int else ${listedAfterMs}::int end * interval '1 ms'`,
    })
    .from(cardOperations)
    .where(isOperation(operation));
  return fence ?? { askedAt: null, isVisible: false };
}

/** Resolves the due operations of all merchants. Returns how many were due, at most `limit`. */
export const resolveDueOperations = verb({ actor: ["system"] }, async (_ctx: SystemContext, limit: number = 50): Promise<number> => {
  const due = await db()
    .select({ merchantId: cardOperations.merchantId, id: cardOperations.id })
    .from(cardOperations)
    .where(and(eq(cardOperations.status, "processing"), lte(cardOperations.nextAttemptAt, sql`now()`)))
    .orderBy(cardOperations.nextAttemptAt)
    .limit(limit);
  await forEachAtOnce(due, async (name) => {
    const claimed = await claimLease(name);
    if (claimed) await resolveOrLog(claimed, { countsAsAttempt: true });
  });
  return due.length;
});

/** Takes the lease of a due operation for `LEASE_MS`. Returns undefined if another worker took it first, or the operation is final. */
async function claimLease(name: OperationKey): Promise<OperationRow | undefined> {
  const [claimed] = await db()
    .update(cardOperations)
    .set({ nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
    .where(and(isOperation(name), eq(cardOperations.status, "processing"), lte(cardOperations.nextAttemptAt, sql`now()`)))
    .returning();
  return claimed;
}

/** Resolves an operation and logs an error instead of throwing it, so that one failure does not stop the others. */
async function resolveOrLog(operation: OperationRow, options: SettleOptions): Promise<void> {
  try {
    await resolveOperation(operation, options);
  } catch (error) {
    log().error({ operationId: operation.id, err: error }, "a card operation could not be resolved; it is tried again");
  }
}

/** Resolves the `processing` operations of one card. They do not count as attempts. */
export async function resolveOperationsOf(card: CardRow): Promise<void> {
  for (const operation of await processingOf(db(), card)) await resolveOrLog(operation, { countsAsAttempt: false });
}

/**
 * Reads lost operations of all merchants from their issuers again: a process that was paused between its last check of the clock and the
 * call may have called the issuer after all. Returns how many were due, at most `limit`.
 */
export const recheckLostOperations = verb({ actor: ["system"] }, async (_ctx: SystemContext, limit: number = 50): Promise<number> => {
  const due = await db()
    .select()
    .from(cardOperations)
    .where(lte(cardOperations.recheckAt, sql`now()`))
    .orderBy(cardOperations.recheckAt)
    .limit(limit);
  await forEachAtOnce(due, async (operation) => {
    if (await claimRecheck(operation)) await recheckLost(operation);
  });
  return due.length;
});

/** Claims a re-check by moving its time. Returns false if another worker claimed it first. */
async function claimRecheck(operation: OperationRow): Promise<boolean> {
  const claimed = await db()
    .update(cardOperations)
    .set({ recheckAt: sql`now() + ${recheckAfterMs(0)} * interval '1 ms'` })
    .where(and(isOperation(operation), sql`${cardOperations.recheckAt} = ${operation.recheckAt?.toISOString() ?? null}::text::timestamptz`))
    .returning({ id: cardOperations.id });
  return claimed.length > 0;
}

/**
 * Re-checks a lost operation. The re-check counts if the issuer does not know the operation or refused it; after any other answer it is
 * repeated.
 */
async function recheckLost(operation: OperationRow): Promise<void> {
  try {
    const { issuer, card } = await issuerOf(operation);
    const reading = await issuer.readOperation(questionOf(operation, card));
    if (reading.status === "completed") return await settleAnswer(issuer, operation, reading, { countsAsAttempt: false });
    if (reading.status === "not_found" || reading.status === "failed") await scheduleNextRecheck(operation);
  } catch (error) {
    log().error({ operationId: operation.id, err: error }, "a lost card operation could not be re-checked");
  }
}

/** Counts a re-check and schedules the next one; none after the last. */
async function scheduleNextRecheck(operation: OperationRow): Promise<void> {
  const afterMs = recheckAfterMs(operation.attempts + 1);
  await db()
    .update(cardOperations)
    .set({ attempts: operation.attempts + 1, recheckAt: afterMs === null ? null : sql`now() + ${afterMs} * interval '1 ms'` })
    // An operator may have ended the re-checks meanwhile.
    .where(and(isOperation(operation), eq(cardOperations.status, "failed"), isNotNull(cardOperations.recheckAt)));
}
