import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { cardOperations, cards } from "#db/schema/cards.ts";
import { newReference } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import { someAtOnce } from "#lib/some-at-once.ts";
import type { Brand, Issuer, Outcome } from "#providers/issuer.ts";
import { issuerNamed } from "../providers/index.ts";
import type { CardRow, OperationRow } from "./card.ts";
import { findOperation } from "./rows.ts";
import { ASKED_WITHIN_MS, CALL_WITHIN_MS, LEASE_MS } from "./schedule.ts";
import { settleOperation } from "./settle-operation.ts";

type NewOperation = Pick<OperationRow, "id" | "merchantId" | "cardId" | "type"> &
  Partial<Pick<OperationRow, "amount" | "fee" | "exchangeRate" | "midRate" | "walletAmount">>;

/** Stores an operation before the issuer hears of it. The card is locked. */
export async function claimOperation(tx: Tx, operation: NewOperation): Promise<OperationRow> {
  const [claimed] = await tx
    .insert(cardOperations)
    .values({
      amount: 0n,
      fee: 0n,
      walletAmount: 0n,
      ...operation,
      reference: newReference(),
      nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'`,
    })
    .returning();
  if (!claimed) throw new Error(`operation ${operation.id} was not stored`);
  return claimed;
}

/** What the issuer has to be told beside the operation itself. */
export interface Asked {
  card: CardRow;
  /** Of issuing: the issuer's name for the cardholder. */
  cardholderReference?: string;
}

/**
 * Asks the issuer, once in the life of an operation, and settles what it says. Answers the operation as it is then; still processing
 * where the issuer has not decided, or nobody knows.
 */
export async function carryOut(operation: OperationRow, asked: Asked): Promise<OperationRow> {
  const issuer = issuerNamed(asked.card.provider);
  if (issuer && (await beginAsking(operation))) await settleOperation(operation, await ask(issuer, operation, asked), { isTurn: true });
  return readAgain(operation);
}

/** False when it is too late to ask: by the database's clock, which is the one that others judge by. */
async function beginAsking({ merchantId, id }: OperationRow): Promise<boolean> {
  const begun = await db()
    .update(cardOperations)
    .set({ askedAt: sql`now()` })
    .where(
      and(
        eq(cardOperations.merchantId, merchantId),
        eq(cardOperations.id, id),
        eq(cardOperations.status, "processing"),
        isNull(cardOperations.askedAt),
        sql`now() - ${cardOperations.createdAt} < ${ASKED_WITHIN_MS} * interval '1 ms'`,
      ),
    )
    .returning({ id: cardOperations.id });
  return begun.length > 0;
}

async function readAgain({ merchantId, id }: OperationRow): Promise<OperationRow> {
  const operation = await findOperation(merchantId, id);
  if (!operation) throw new Error(`operation ${id} is gone`);
  return operation;
}

function ask(issuer: Issuer, { type, reference, amount }: OperationRow, { card, cardholderReference }: Asked): Promise<Outcome> {
  if (type === "issue") {
    if (!cardholderReference) throw new Error(`card ${card.id} has a cardholder that its issuer does not know`);
    return issuer.issueCard({ reference, cardholderReference, brand: card.brand satisfies Brand });
  }
  const { providerReference: cardReference } = card;
  if (!cardReference) throw new Error(`card ${card.id} is not issued`);
  switch (type) {
    case "fund":
    case "unload":
      return issuer[type]({ reference, cardReference, amount: money(amount, "USD") });
    default:
      return issuer[type]({ reference, cardReference });
  }
}

/** How an operation came to be looked at: at its turn, or because somebody hinted at it, which delays nothing. */
interface Look {
  isTurn: boolean;
}

/**
 * Asks the issuer what became of an operation, and settles it. One that the issuer does not know, though by now it would, was never
 * taken: it has failed. Nothing is ever asked for a second time.
 */
export async function resolveOperation(operation: OperationRow, look: Look = { isTurn: false }): Promise<void> {
  const [card] = await db()
    .select()
    .from(cards)
    .where(and(eq(cards.merchantId, operation.merchantId), eq(cards.id, operation.cardId)));
  const issuer = card && issuerNamed(card.provider);
  if (!issuer) throw new Error(`operation ${operation.id} is at an issuer that is not known here`);
  const { type, reference } = operation;
  const isOld = await isVisibleByNow(operation, issuer);
  const reading = await issuer.readOperation({ type, reference, cardReference: card.providerReference });
  if (reading.status !== "not_found") return settleOperation(operation, reading, look);
  const lost = { status: "failed", reason: "The card issuer never received it." } as const;
  await settleOperation(operation, isOld ? lost : { status: "unknown" }, look);
}

/** Whether the issuer lists it, if it ever took it. Looked at before the issuer is. */
async function isVisibleByNow({ merchantId, id }: OperationRow, { capabilities }: Issuer): Promise<boolean> {
  const [row] = await db()
    .select({
      isVisible: sql<boolean>`case when asked_at is null then now() - created_at > ${ASKED_WITHIN_MS} * interval '1 ms'
      else now() - asked_at > ${CALL_WITHIN_MS + capabilities.visibleWithinMs} * interval '1 ms' end`,
    })
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
  return row?.isVisible ?? false;
}

/** Asks what became of operations that are due, of all merchants. Answers how many were. */
export async function resolveDueOperations(limit = 50): Promise<number> {
  const due = await db()
    .select({ merchantId: cardOperations.merchantId, id: cardOperations.id })
    .from(cardOperations)
    .where(and(eq(cardOperations.status, "processing"), lte(cardOperations.nextAttemptAt, sql`now()`)))
    .orderBy(cardOperations.nextAttemptAt)
    .limit(limit);
  await someAtOnce(due, async ({ merchantId, id }) => {
    const claimed = await takeTurn(merchantId, id);
    if (claimed) await resolveLoudly(claimed, { isTurn: true });
  });
  return due.length;
}

/** Keeps other workers away from an operation for as long as asking takes. */
async function takeTurn(merchantId: string, id: string): Promise<OperationRow | undefined> {
  const [claimed] = await db()
    .update(cardOperations)
    .set({ nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
    .where(
      and(
        eq(cardOperations.merchantId, merchantId),
        eq(cardOperations.id, id),
        eq(cardOperations.status, "processing"),
        lte(cardOperations.nextAttemptAt, sql`now()`),
      ),
    )
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

/** Resolves what is processing on one card. */
export async function resolveOperationsOf({ merchantId, id }: CardRow): Promise<void> {
  const processing = await db()
    .select()
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.cardId, id), eq(cardOperations.status, "processing")));
  for (const operation of processing) await resolveLoudly(operation, { isTurn: false });
}
