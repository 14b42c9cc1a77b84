import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { cardOperations, cards, issuerReferences } from "#db/schema/cards.ts";
import { formatMoney, money } from "#lib/money.ts";
import type { OperationOutcome } from "#providers/issuer.ts";
import { raiseOperatorAlert } from "../../alerts/index.ts";
import { appendEvent } from "../../events/index.ts";
import { toNairaDown } from "../../exchange/index.ts";
import { mustPost, openCardAccount, type Transfer } from "../../ledger/index.ts";
import { modeOf } from "../../providers/index.ts";
import { type CardRow, cardFromRow } from "../card.ts";
import { type OperationRow, operationFromRow } from "../card-operation.ts";
import { blockCard } from "../cards/block-card.ts";
import { presentCard, presentOperation } from "../present.ts";
import { balanceOf, isAnotherProcessing, isOperation, lockCard, makeCardDue, type OperationKey, readOperationAgain } from "../rows.ts";
import { recheckAfterMs } from "../schedule.ts";
import { coverOfUnload, settleLateFunding, settleLateUnload } from "../spend/draw-on-differences.ts";
import { forgetLateSpend, rememberLateSpend } from "../spend/late-spend.ts";
import { TRANSITIONS } from "../state-machine.ts";
import { charge, chargeLate, release, unloadLate, unloadToWallet } from "./journal.ts";
import { settleTermination } from "./settle-termination.ts";

export type Completed = Extract<OperationOutcome, { status: "completed" }>;

/**
 * Settles a completed operation: row, card, ledger and event. Returns false if a `processing` operation must stay
 * `processing`. Throws an Error if the outcome lacks the card or the amount. The caller has locked card and operation.
 */
export async function completeOperation(tx: Tx, card: CardRow, operation: OperationRow, outcome: Completed): Promise<boolean> {
  const { providerReference } = outcome;
  switch (operation.type) {
    case "issue":
      await completeIssue(tx, card, operation, outcome);
      return true;
    case "fund":
      await completeFunding(tx, card, operation, outcome);
      return true;
    case "unload":
      return completeUnload(tx, card, operation, outcome);
    case "freeze":
    case "unfreeze":
      await finishOperation(tx, card, operation, { status: "completed", providerReference });
      if (await move(tx, card, operation.type))
        await appendCardEvent(tx, card, operation.type === "freeze" ? "card.frozen" : "card.unfrozen");
      return true;
    case "terminate":
      return completeTermination(tx, card, operation, outcome);
  }
}

async function completeFunding(tx: Tx, card: CardRow, operation: OperationRow, { providerReference }: Completed): Promise<void> {
  await finishOperation(tx, card, operation, { status: "completed", providerReference });
  await postAll(tx, card, operation.status === "failed" ? chargeLate(operation) : charge(operation));
  if (card.status === "TERMINATED") await postAll(tx, card, await settleLateFunding(tx, card, operation));
  await appendOperationEvent(tx, operation, "card.funded");
}

async function completeIssue(tx: Tx, card: CardRow, operation: OperationRow, { providerReference, issued }: Completed): Promise<void> {
  if (!issued) throw new Error(`the issuer completed ${operation.id} without a card`);
  await finishOperation(tx, card, operation, { status: "completed", providerReference });
  const { cardReference, last4, expiryMonth, expiryYear } = issued;
  const { merchantId } = card;
  // The card is due at once, because spend may have come before we knew the issuer's reference for it.
  await move(tx, card, "issue", { providerReference: cardReference, last4, expiryMonth, expiryYear, nextSyncAt: sql`now()` });
  await storeIssuerReference(tx, card, cardReference);
  await openCardAccount(tx, merchantId, card.id);
  await postAll(tx, card, charge(operation));
  await appendCardEvent(tx, card, "card.issued");
}

/** Credits the amount that the issuer took. If the issuer says that it took more than was requested, blocks the card and credits nothing. */
async function completeUnload(tx: Tx, card: CardRow, operation: OperationRow, { providerReference, taken }: Completed): Promise<boolean> {
  if (!taken || taken.minor < 0n) throw new Error(`the issuer completed ${operation.id} without a valid amount taken`);
  if (taken.minor > operation.amount) {
    const asked = formatMoney(money(operation.amount, "USD"));
    await blockCard(tx, card, `The issuer says that unload ${operation.reference} of ${asked} took ${formatMoney(taken)}.`);
    if (operation.status === "failed") await countRecheck(tx, operation);
    return false;
  }
  const isLate = operation.status === "failed";
  // A terminated card is already settled. So this unload can only have taken dollars that the issuer kept or that a late funding added.
  if (isLate && card.status === "TERMINATED" && (await coverOfUnload(tx, card, { withRefunds: true })) < taken.minor) {
    await alertAboutCorrection(tx, card, operation);
    return true;
  }
  if (taken.minor === 0n) {
    if (!isLate) await failOperation(tx, card, operation, { failureReason: "The card issuer took nothing off the card." });
    return true;
  }
  const walletAmount = toNairaDown(taken, operation.exchangeRate ?? 0n).minor;
  await finishOperation(tx, card, operation, { status: "completed", providerReference, amount: taken.minor, walletAmount });
  await postAll(tx, card, isLate ? unloadLate(operation, taken) : unloadToWallet(operation, taken));
  // Posted at once, so that neither a second late unload nor an operator can use the same dollars again.
  if (isLate && card.status === "TERMINATED") await postAll(tx, card, await settleLateUnload(tx, card, operation, taken.minor));
  await appendOperationEvent(tx, operation, "card.unloaded");
  return true;
}

/** Counts a re-check with an impossible answer, so that it is not repeated for ever. */
async function countRecheck(tx: Tx, operation: OperationRow): Promise<void> {
  const attempts = operation.attempts + 1;
  const afterMs = recheckAfterMs(attempts);
  await updateOperation(tx, operation, { attempts, recheckAt: afterMs === null ? null : sql`now() + ${afterMs} * interval '1 ms'` });
}

/** Settles a termination only when no other operation of the card is `processing`: the balance that the issuer returns depends on them. */
async function completeTermination(
  tx: Tx,
  card: CardRow,
  operation: OperationRow,
  { providerReference, taken }: Completed,
): Promise<boolean> {
  if (!taken) throw new Error(`the issuer completed ${operation.id} without a balance`);
  if (await isAnotherProcessing(tx, card, operation.id)) return false;
  if (operation.status === "failed") await rememberLateSpend(tx, card, operation);
  const { transfers, price } = await settleTermination(tx, card, operation, taken);
  await finishOperation(tx, card, operation, {
    status: "completed",
    providerReference,
    amount: price?.credited.minor ?? 0n,
    ...(price && { walletAmount: price.walletAmount, exchangeRate: price.rate, midRate: price.mid }),
  });
  await move(tx, card, "terminate", { terminatedAt: sql`now()`, nextSyncAt: sql`now()` });
  await postAll(tx, card, transfers);
  await appendCardEvent(tx, card, "card.terminated");
  return true;
}

/** Applies a transition to a card. Returns false if the card's status does not allow it: a terminated card is not unfrozen. */
async function move(tx: Tx, card: CardRow, transition: keyof typeof TRANSITIONS, changes: Changes = {}): Promise<boolean> {
  const { from, to } = TRANSITIONS[transition];
  const moved = await tx
    .update(cards)
    .set({ ...changes, status: to })
    .where(and(eq(cards.merchantId, card.merchantId), eq(cards.id, card.id), inArray(cards.status, [...from])))
    .returning({ id: cards.id });
  return moved.length > 0;
}

/**
 * Alerts operators that an issuer completed an operation that had failed here, and ends its re-checks. Posts nothing: a card whose issue
 * failed here is used by no merchant, and a terminated card is already settled. From now on an operator decides, so nothing may wait for
 * another answer.
 */
export async function alertAboutCorrection(tx: Tx, { provider }: CardRow, operation: OperationRow): Promise<void> {
  const { id, type, reference, cardId, merchantId } = operation;
  await updateOperation(tx, operation, { recheckAt: null });
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "card_operation.corrected",
    resourceId: id,
    message: `${provider} completed ${type} ${reference} of card ${cardId} (${merchantId}) after it had failed here. Nothing was posted: look at the card at the issuer.`,
  });
}

export type Changes = Parameters<ReturnType<Tx["update"]>["set"]>[0];

/** Makes an operation final. Makes a termination that waited for it due, or the sync of a terminated card. */
export async function finishOperation(tx: Tx, card: CardRow, operation: OperationRow, changes: Changes): Promise<void> {
  const isCorrection = operation.status === "failed";
  await updateOperation(tx, operation, {
    completedAt: sql`now()`,
    nextAttemptAt: null,
    ...(isCorrection && { correctedAt: sql`now()`, failureReason: null, recheckAt: null }),
    ...changes,
  });
  await tx
    .update(cardOperations)
    .set({ nextAttemptAt: sql`now()` })
    .where(
      and(
        eq(cardOperations.merchantId, card.merchantId),
        eq(cardOperations.cardId, card.id),
        eq(cardOperations.type, "terminate"),
        eq(cardOperations.status, "processing"),
        ne(cardOperations.id, operation.id),
      ),
    );
  if (card.status === "TERMINATED") await makeCardDue(tx, card);
}

export async function failOperation(tx: Tx, card: CardRow, operation: OperationRow, changes: Changes): Promise<void> {
  await finishOperation(tx, card, operation, { ...changes, status: "failed" });
  await postAll(tx, card, release(operation));
  if (operation.type === "terminate") await forgetLateSpend(tx, card);
  if (operation.type !== "issue") return;
  await updateCard(tx, card, { status: "FAILED", nextSyncAt: null });
  await appendCardEvent(tx, card, "card.failed");
}

export async function updateOperation(tx: Tx, operation: OperationKey, changes: Changes): Promise<void> {
  await tx.update(cardOperations).set(changes).where(isOperation(operation));
}

export async function updateCard(tx: Tx, { merchantId, id }: CardRow, changes: Changes): Promise<void> {
  await tx
    .update(cards)
    .set(changes)
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id)));
}

export async function postAll(tx: Tx, { merchantId }: CardRow, transfers: Transfer[]): Promise<void> {
  if (transfers.length > 0) await mustPost(tx, merchantId, transfers);
}

type CardEvent = "card.issued" | "card.failed" | "card.frozen" | "card.unfrozen" | "card.terminated";

export async function appendCardEvent(tx: Tx, { merchantId, id }: CardRow, type: CardEvent): Promise<void> {
  const card = await lockCard(tx, merchantId, id);
  await appendEvent(tx, merchantId, type, presentCard(cardFromRow(card, await balanceOf(tx, card))));
}

export async function appendOperationEvent(tx: Tx, operation: OperationRow, type: "card.funded" | "card.unloaded"): Promise<void> {
  const { merchantId, cardId: id } = operation;
  const settled = operationFromRow(await readOperationAgain(tx, operation), await balanceOf(tx, { merchantId, id }));
  await appendEvent(tx, merchantId, type, presentOperation(settled));
}

/** Stores an issuer's reference for a card or for one of its operations. Throws an Error if the reference belongs to another card. */
export async function storeIssuerReference(tx: Tx, { provider, merchantId, id }: CardRow, reference: string): Promise<void> {
  const name = { provider, reference, merchantId, subject: "card" as const, subjectId: id };
  const [entered] = await tx.insert(issuerReferences).values(name).onConflictDoNothing().returning();
  if (entered) return;
  const [known] = await tx
    .select()
    .from(issuerReferences)
    .where(and(eq(issuerReferences.provider, provider), eq(issuerReferences.reference, reference)));
  if (known?.merchantId !== merchantId || known.subjectId !== id) throw new Error(`the issuer gave card ${id} another card's name`);
}
