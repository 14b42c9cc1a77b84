import { and, eq, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import type { Issuer, OperationQuestion } from "#providers/issuer.ts";
import type { SystemContext } from "../context.ts";
import { issuers } from "../providers/index.ts";
import type { CardRow } from "./card.ts";
import type { OperationRow } from "./card-operation.ts";
import { findCardRow, processingOf } from "./rows.ts";
import { ASKED_WITHIN_MS, CALL_WITHIN_MS, LEASE_MS, lookAgainAfter } from "./schedule.ts";
import { settleAnswer } from "./settle-answer.ts";
import { type Look, settleOperation } from "./settle-operation.ts";

/**
 * Reads from the issuer what became of an operation, and settles it. An operation that the issuer does not know, though by now it would,
 * was never taken: it is lost. The issuer is never asked to do it a second time.
 */
export async function resolveOperation(operation: OperationRow, look: Look = { isTurn: false }): Promise<void> {
  const { issuer, card } = await issuerOf(operation);
  const seen = await lookAt(operation, issuer);
  const reading = await issuer.readOperation(questionOf(operation, card));
  if (reading.status !== "not_found") return settleAnswer(issuer, operation, reading, look);
  await settleOperation(operation, seen.isVisible ? { status: "lost", askedAt: seen.askedAt } : { status: "unknown" }, look);
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

interface Seen {
  askedAt: Date | null;
  /** The issuer would list the operation by now if it had ever taken it. */
  isVisible: boolean;
}

/**
 * Looked at before the issuer is read. An operation is handed to its issuer within `ASKED_WITHIN_MS` of its claim or never, so its age
 * counts from the claim: `asked_at` may be older than the call that follows it.
 */
async function lookAt(operation: OperationRow, { capabilities }: Issuer): Promise<Seen> {
  const listedAfterMs = ASKED_WITHIN_MS + CALL_WITHIN_MS + capabilities.visibleWithinMs;
  const [seen] = await db()
    .select({
      askedAt: cardOperations.askedAt,
      isVisible: sql<boolean>`now() - created_at > case when asked_at is null then ${ASKED_WITHIN_MS}::int else ${listedAfterMs}::int end * interval '1 ms'`,
    })
    .from(cardOperations)
    .where(isIt(operation));
  return seen ?? { askedAt: null, isVisible: false };
}

/** Resolves operations that are due, of all merchants. Returns how many were. */
export async function resolveDueOperations(_ctx: SystemContext, limit = 50): Promise<number> {
  const due = await db()
    .select({ merchantId: cardOperations.merchantId, id: cardOperations.id })
    .from(cardOperations)
    .where(and(eq(cardOperations.status, "processing"), lte(cardOperations.nextAttemptAt, sql`now()`)))
    .orderBy(cardOperations.nextAttemptAt)
    .limit(limit);
  await forEachAtOnce(due, async (name) => {
    const claimed = await takeTurn(name);
    if (claimed) await resolveLoudly(claimed, { isTurn: true });
  });
  return due.length;
}

/** Keeps other workers away from an operation for as long as asking takes. */
async function takeTurn(name: Name): Promise<OperationRow | undefined> {
  const [claimed] = await db()
    .update(cardOperations)
    .set({ nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
    .where(and(isIt(name), eq(cardOperations.status, "processing"), lte(cardOperations.nextAttemptAt, sql`now()`)))
    .returning();
  return claimed;
}

/** An operation that cannot be settled must not keep the others from it. */
async function resolveLoudly(operation: OperationRow, look: Look): Promise<void> {
  try {
    await resolveOperation(operation, look);
  } catch (error) {
    log().error({ operationId: operation.id, err: error }, "a card operation could not be resolved; it is tried again");
  }
}

/** Resolves the operations of one card that are processing. */
export async function resolveOperationsOf(card: CardRow): Promise<void> {
  for (const operation of await processingOf(db(), card)) await resolveLoudly(operation, { isTurn: false });
}

/**
 * Reads lost operations from their issuers again, of all merchants: a process that was paused between its last check and the call may
 * have asked after all. Returns how many were due.
 */
export async function lookAgainAtLostOperations(_ctx: SystemContext, limit = 50): Promise<number> {
  const due = await db()
    .select()
    .from(cardOperations)
    .where(lte(cardOperations.lookAgainAt, sql`now()`))
    .orderBy(cardOperations.lookAgainAt)
    .limit(limit);
  await forEachAtOnce(due, async (operation) => {
    if (await claimLook(operation)) await lookAgain(operation);
  });
  return due.length;
}

/** Keeps other workers away for as long as looking takes. False where another was first. */
async function claimLook(operation: OperationRow): Promise<boolean> {
  const claimed = await db()
    .update(cardOperations)
    .set({ lookAgainAt: sql`now() + ${lookAgainAfter(0)} * interval '1 ms'` })
    .where(and(isIt(operation), sql`${cardOperations.lookAgainAt} = ${operation.lookAgainAt?.toISOString() ?? null}::text::timestamptz`))
    .returning({ id: cardOperations.id });
  return claimed.length > 0;
}

/** A look counts when the issuer said that it does not know the operation, or refused it. Any other answer is asked for again. */
async function lookAgain(operation: OperationRow): Promise<void> {
  try {
    const { issuer, card } = await issuerOf(operation);
    const reading = await issuer.readOperation(questionOf(operation, card));
    if (reading.status === "completed") return await settleAnswer(issuer, operation, reading, { isTurn: false });
    if (reading.status === "not_found" || reading.status === "failed") await planNextLook(operation);
  } catch (error) {
    log().error({ operationId: operation.id, err: error }, "a lost card operation could not be looked at again");
  }
}

async function planNextLook(operation: OperationRow): Promise<void> {
  const afterMs = lookAgainAfter(operation.attempts + 1);
  await db()
    .update(cardOperations)
    .set({ attempts: operation.attempts + 1, lookAgainAt: afterMs === null ? null : sql`now() + ${afterMs} * interval '1 ms'` })
    .where(and(isIt(operation), eq(cardOperations.status, "failed")));
}

type Name = Pick<OperationRow, "merchantId" | "id">;

const isIt = ({ merchantId, id }: Name) => and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id));
