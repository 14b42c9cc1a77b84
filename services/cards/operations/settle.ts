import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { databaseTime } from "#db/database-time.ts";
import { cardOperations } from "#db/schema/cards.ts";
import { log } from "#lib/log.ts";
import type { Issuer, OperationOutcome } from "#providers/issuer.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import { blockCard } from "../cards/block-card.ts";
import { awaitsRecheck, isAnotherProcessing, lockCard, lockOperation, type OperationKey, processingOf, readCardAgain } from "../rows.ts";
import { recheckAfterMs, waitAfterMs } from "../schedule.ts";
import { coverOfUnload } from "../spend/draw-on-differences.ts";
import { lateSpend } from "../spend/late-spend.ts";
import { recordNewSpend } from "../spend/record-new-spend.ts";
import { alertAboutCorrection, type Completed, completeOperation, failOperation, storeIssuerReference, updateOperation } from "./finish.ts";

/**
 * The issuer does not list the operation, although it would by now. `askedAt` is the row's value before the issuer was read: the fencing
 * token.
 */
interface Lost {
  status: "lost";
  askedAt: Date | null;
}

export interface SettleOptions {
  /**
   * True for the first call and for the worker's attempts: an undecided outcome then schedules the next attempt. A hint delays no attempt.
   */
  countsAsAttempt: boolean;
}

/**
 * Settles an operation with an outcome. Card, wallet, ledger and event change together, once, however often the outcome is reported.
 * Pending and unknown settle nothing: they schedule the next attempt if this one counts, and pending stores the issuer's reference. An
 * operation that failed here and that the issuer completed is corrected. Locks: card, operation, ledger accounts, event counter.
 */
export async function settleOperation(
  key: OperationKey & Pick<OperationRow, "cardId">,
  outcome: OperationOutcome | Lost,
  options: SettleOptions,
): Promise<void> {
  await transaction(async (tx) => {
    const card = await lockCard(tx, key.merchantId, key.cardId);
    const operation = await lockOperation(tx, key.merchantId, key.id);
    if (operation) await settleLocked(tx, card, operation, { outcome, options });
  });
}

/** As `settleOperation`, for a caller that has locked the card, then the operation. */
export async function settleLocked(
  tx: Tx,
  card: CardRow,
  operation: OperationRow,
  { outcome, options }: { outcome: OperationOutcome | Lost; options: SettleOptions },
): Promise<void> {
  if (operation.status === "processing") return settleProcessing(tx, card, operation, { outcome, options });
  if (operation.status !== "failed") return;
  if (outcome.status === "completed") return correct(tx, card, operation, outcome);
  // The answer may belong to a call that was still running when the operation was settled as lost. The issuer may execute it later.
  const isUndecided = outcome.status === "pending" || outcome.status === "unknown";
  if (isUndecided && operation.askedAt !== null) await recheckSoon(tx, operation);
}

async function settleProcessing(
  tx: Tx,
  card: CardRow,
  operation: OperationRow,
  { outcome, options }: { outcome: OperationOutcome | Lost; options: SettleOptions },
): Promise<void> {
  switch (outcome.status) {
    case "completed":
      if (await completeOperation(tx, card, operation, outcome)) return;
      break;
    case "failed":
      return failOperation(tx, card, operation, { failureReason: outcome.reason });
    case "lost":
      if (operation.askedAt?.getTime() === outcome.askedAt?.getTime())
        return failUnlessExecuted(tx, card, operation, "The card issuer never received it.");
      break;
    case "pending":
      await storeProviderReference(tx, card, operation, outcome.providerReference);
  }
  if (options.countsAsAttempt) await scheduleNextAttempt(tx, operation);
}

/** Stores the issuer's reference for an operation, because a notice may name the operation by it. */
async function storeProviderReference(tx: Tx, card: CardRow, operation: OperationRow, providerReference: string | null): Promise<void> {
  if (providerReference === null || operation.providerReference !== null) return;
  await storeIssuerReference(tx, card, providerReference);
  await updateOperation(tx, operation, { providerReference });
}

/**
 * Schedules the next attempt, unless the operation became due again during this one: the end of another operation makes a termination due,
 * and the attempt may have read the operations of the card before that end.
 */
async function scheduleNextAttempt(tx: Tx, operation: OperationRow): Promise<void> {
  const { attempts } = operation;
  const { nextAttemptAt } = cardOperations;
  // Compared to the clock and not to `now()`, because the other transaction may have begun after this one.
  const next = sql`case when ${nextAttemptAt} <= ${await databaseTime(tx)}::timestamptz then ${nextAttemptAt}
    else (select now()) + ${waitAfterMs(attempts)} * interval '1 ms' end`;
  await updateOperation(tx, operation, { attempts: attempts + 1, nextAttemptAt: next });
}

/**
 * Fails an operation that its issuer has not refused: it is lost, or an operator says so. The new status stops a process that has not called
 * the issuer yet. An operation marked as asked is re-checked, because the issuer may have executed it after all.
 */
export async function failUnlessExecuted(tx: Tx, card: CardRow, operation: OperationRow, failureReason: string): Promise<void> {
  const recheckAt = operation.askedAt === null ? null : sql`now() + ${recheckAfterMs(0)} * interval '1 ms'`;
  await failOperation(tx, card, operation, { failureReason, attempts: 0, recheckAt });
}

/**
 * Corrects an operation that failed here and that the issuer completed. Posts the outcome at once, and blocks the card until an operator
 * resolves it; money that the wallet cannot cover becomes a debt of the merchant. A termination waits until no other operation of the card
 * is `processing`, and is re-checked. An issue, or a termination of a terminated card, only alerts the operators.
 */
async function correct(tx: Tx, card: CardRow, operation: OperationRow, outcome: Completed): Promise<void> {
  const { type, reference } = operation;
  // An unload that took nothing changed nothing: it stays failed, and the issuer has decided it.
  if (type === "unload" && outcome.taken?.minor === 0n) return updateOperation(tx, operation, { recheckAt: null });
  const isEnded = type === "terminate" && card.status === "TERMINATED";
  if (type === "issue" || isEnded) return alertAboutCorrection(tx, card, operation);
  if (type === "terminate" && (await processingOf(tx, card)).length > 0) return recheckSoon(tx, operation);
  if (type === "unload" && (await awaitsCover(tx, card, outcome))) return recheckSoon(tx, operation);
  if (card.status === "PENDING" || card.status === "FAILED") throw new Error(`the card of operation ${operation.id} was never issued`);
  await completeOperation(tx, card, operation, outcome);
  await blockCard(tx, card, `The issuer completed ${type} ${reference} after it had failed here.`);
}

/**
 * Returns whether the kept cents of a terminated card do not cover an unload yet, but a lost funding or spend that is not passed on may still
 * cover it.
 */
async function awaitsCover(tx: Tx, card: CardRow, { taken }: Completed): Promise<boolean> {
  if (card.status !== "TERMINATED" || !taken || (await coverOfUnload(tx, card, { withRefunds: false })) >= taken.minor) return false;
  return (await awaitsRecheck(tx, card, "fund")) || (await lateSpend(tx, card)).length > 0;
}

/** Schedules a re-check, also after the last one, and takes one re-check off the count. */
async function recheckSoon(tx: Tx, operation: OperationRow): Promise<void> {
  const rechecks = operation.attempts > 0 ? operation.attempts - 1 : 0;
  await updateOperation(tx, operation, {
    attempts: rechecks,
    recheckAt: sql`now() + ${recheckAfterMs(0)} * interval '1 ms'`,
  });
}

/**
 * Settles the answer of an issuer to an operation. A completed termination first records the card's spend, because the wallet is credited
 * only with money that our books explain. While the spend cannot be read, or another operation of the card is `processing`, the termination
 * is not settled: the answer counts as unknown.
 */
export async function settleAnswer(
  issuer: Issuer,
  operation: OperationRow,
  answer: OperationOutcome,
  options: SettleOptions,
): Promise<void> {
  const isEnd = operation.type === "terminate" && answer.status === "completed";
  const isReady = !isEnd || (await prepareForTermination(issuer, operation));
  await settleOperation(operation, isReady ? answer : { status: "unknown" }, options);
}

async function prepareForTermination(issuer: Issuer, { merchantId, cardId, id }: OperationRow): Promise<boolean> {
  const card = await readCardAgain({ merchantId, id: cardId });
  if (await isAnotherProcessing(db(), card, id)) return false;
  try {
    await recordNewSpend(issuer, card);
    return true;
  } catch (error) {
    log().error({ cardId, operationId: id, err: error }, "a termination waits: the card's spend could not be read");
    return false;
  }
}
