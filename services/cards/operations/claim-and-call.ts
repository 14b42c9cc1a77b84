import { and, eq, isNull, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { cardOperations } from "#db/schema/cards.ts";
import { newReference } from "#lib/ids.ts";
import { money } from "#lib/money.ts";
import type { Brand, Issuer, OperationOutcome } from "#providers/issuer.ts";
import { type Context, madeBy } from "../../context.ts";
import { issuers } from "../../providers/index.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import { isOperation, readOperationAgain } from "../rows.ts";
import { LEASE_MS, MAX_CLAIM_TO_CALL_MS } from "../schedule.ts";
import { settleAnswer } from "./settle.ts";

type NewOperation = Pick<OperationRow, "id" | "merchantId" | "cardId" | "type"> &
  Partial<Pick<OperationRow, "amount" | "fee" | "exchangeRate" | "midRate" | "walletAmount">>;

/**
 * Stores an operation as `processing`, made by the context's actor, with a lease, before the issuer is called. The caller has locked the
 * card. Returns the row.
 */
export async function claimOperation(tx: Tx, ctx: Context, operation: NewOperation): Promise<OperationRow> {
  const [claimed] = await tx
    .insert(cardOperations)
    .values({
      amount: 0n,
      fee: 0n,
      walletAmount: 0n,
      ...operation,
      madeBy: madeBy(ctx),
      reference: newReference(),
      nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'`,
    })
    .returning();
  if (!claimed) throw new Error(`operation ${operation.id} was not stored`);
  return claimed;
}

/** The data that a call to the issuer needs beside the operation. */
export interface Asked {
  card: CardRow;
  /** Milliseconds since before the operation was claimed (`startStopwatch`). */
  elapsedMs: () => number;
  /** The issuer's reference for the cardholder; only for issuing. */
  cardholderReference?: string;
}

/**
 * Calls the issuer at most once in the life of an operation, and settles its answer. Returns the operation after that: still `processing`
 * if the issuer has not decided or gave no clear answer.
 */
export async function callIssuer(operation: OperationRow, asked: Asked): Promise<OperationRow> {
  const issuer = issuers.named(asked.card.provider);
  if (issuer && (await mayAsk(operation, asked))) {
    const answer = await ask(issuer, operation, asked);
    await settleAnswer(issuer, operation, answer, { countsAsAttempt: true });
  }
  return readOperationAgain(db(), operation);
}

/**
 * Marks the operation as asked. Returns whether the issuer may be called now. The row is the fencing token: an operation that was settled
 * as lost is not `processing` any more, and a marked operation is settled as lost only once the issuer would list it. The update and its
 * commit may take any time, so the stopwatch that was started before the claim is read last.
 */
async function mayAsk(operation: OperationRow, { elapsedMs }: Asked): Promise<boolean> {
  if (elapsedMs() >= MAX_CLAIM_TO_CALL_MS) return false;
  const marked = await db()
    .update(cardOperations)
    .set({ askedAt: sql`now()` })
    .where(and(isOperation(operation), eq(cardOperations.status, "processing"), isNull(cardOperations.askedAt)))
    .returning({ id: cardOperations.id });
  return marked.length > 0 && elapsedMs() < MAX_CLAIM_TO_CALL_MS;
}

function ask(issuer: Issuer, { type, reference, amount }: OperationRow, { card, cardholderReference }: Asked): Promise<OperationOutcome> {
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
