import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardOperations, cards, issuerReferences } from "#db/schema/cards.ts";
import { formatMoney, money } from "#lib/money.ts";
import type { Outcome } from "#providers/issuer.ts";
import { raiseOperatorAlert } from "../alerts/index.ts";
import { appendEvent } from "../events/index.ts";
import { toNairaDown } from "../exchange/index.ts";
import { mustPost, openCardAccount, type Transfer } from "../ledger/index.ts";
import { modeOf } from "../providers/index.ts";
import { blockCard } from "./block-card.ts";
import type { CardRow, OperationRow } from "./card.ts";
import { forgetLateSpend, settleEnd } from "./end-of-card.ts";
import { charge, chargeLate, release, unloadLate, unloadToWallet } from "./journal.ts";
import { presentCard, presentOperation } from "./present.ts";
import { lockCard, makeCardDue, processingOf, withBalance, withCardBalance } from "./rows.ts";
import { lookAgainAfter, waitAfter } from "./schedule.ts";
import { TRANSITIONS } from "./state-machine.ts";
import { keptOf } from "./suspense-items.ts";

type Completed = Extract<Outcome, { status: "completed" }>;

/** The issuer does not list it, though it would by now. `askedAt` is what the row said before the issuer was read: the fencing token. */
interface Lost {
  status: "lost";
  askedAt: Date | null;
}

/** Why an operation is looked at: because it is its turn, or because of a hint, which delays no turn. */
export interface Look {
  isTurn: boolean;
}

/**
 * Settles an operation by the issuer's word: card, wallet, ledger and event change together, once, however often the word comes. Pending
 * and unknown change nothing but the time of the next look, and only at a turn. An operation that has failed and is said to be completed
 * is corrected. Locks: card, operation, ledger accounts, event counter.
 */
export async function settleOperation(
  { merchantId, cardId, id }: Pick<OperationRow, "merchantId" | "cardId" | "id">,
  word: Outcome | Lost,
  look: Look,
): Promise<void> {
  await transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, cardId);
    const [operation] = await tx
      .select()
      .from(cardOperations)
      .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)))
      .for("update");
    if (operation?.status === "failed" && word.status === "completed") return correct(tx, card, operation, word);
    // The answer of a call that was still under way when it was given up: the issuer may do it yet.
    const isUndecided = word.status === "pending" || word.status === "unknown";
    if (operation?.status === "failed" && isUndecided && operation.askedAt !== null) return lookAgainSoon(tx, operation);
    if (operation?.status !== "processing") return;
    await settle(tx, card, operation, { word, look });
  });
}

async function settle(tx: Tx, card: CardRow, operation: OperationRow, { word, look }: { word: Outcome | Lost; look: Look }): Promise<void> {
  switch (word.status) {
    case "completed":
      if (await complete(tx, card, operation, word)) return;
      break;
    case "failed":
      return fail(tx, card, operation, { failureReason: word.reason });
    case "lost":
      if (operation.askedAt?.getTime() === word.askedAt?.getTime()) return lose(tx, card, operation);
      break;
    case "pending":
      await nameOperation(tx, card, operation, word.providerReference);
  }
  if (look.isTurn) await waitForNextTurn(tx, operation);
}

/** A notice may name an operation by the issuer's own name for it. */
async function nameOperation(tx: Tx, card: CardRow, operation: OperationRow, providerReference: string | null): Promise<void> {
  if (providerReference === null || operation.providerReference !== null) return;
  await nameCard(tx, card, providerReference);
  await tx
    .update(cardOperations)
    .set({ providerReference })
    .where(and(eq(cardOperations.merchantId, operation.merchantId), eq(cardOperations.id, operation.id)));
}

/** Enters a name of the issuer's for a card, or for something that is done to it. */
async function nameCard(tx: Tx, { provider, merchantId, id }: CardRow, reference: string): Promise<void> {
  const name = { provider, reference, merchantId, subject: "card" as const, subjectId: id };
  const [entered] = await tx.insert(issuerReferences).values(name).onConflictDoNothing().returning();
  if (entered) return;
  const [known] = await tx
    .select()
    .from(issuerReferences)
    .where(and(eq(issuerReferences.provider, provider), eq(issuerReferences.reference, reference)));
  if (known?.merchantId !== merchantId || known.subjectId !== id) throw new Error(`the issuer gave card ${id} the name of another`);
}

async function waitForNextTurn(tx: Tx, { merchantId, id, attempts }: OperationRow): Promise<void> {
  await tx
    .update(cardOperations)
    .set({ attempts: attempts + 1, nextAttemptAt: sql`now() + ${waitAfter(attempts)} * interval '1 ms'` })
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
}

/** The change of status keeps a process that has not asked yet from asking. One that has is looked at again. */
async function lose(tx: Tx, card: CardRow, operation: OperationRow): Promise<void> {
  const lookAgainAt = operation.askedAt === null ? null : sql`now() + ${lookAgainAfter(0)} * interval '1 ms'`;
  await fail(tx, card, operation, { failureReason: "The card issuer never received it.", attempts: 0, lookAgainAt });
}

async function fail(tx: Tx, card: CardRow, operation: OperationRow, changes: Changes): Promise<void> {
  await finish(tx, card, operation, { ...changes, status: "failed" });
  await postAll(tx, card, release(operation));
  if (operation.type === "terminate") await forgetLateSpend(tx, card);
  if (operation.type !== "issue") return;
  await changeCard(tx, card, { status: "FAILED", nextSyncAt: null });
  await tellOfCard(tx, card, "card.failed");
}

/**
 * An issuer did what seemed to have failed: its word is posted at once, and the card stands still until an operator has looked into it.
 * What the wallet cannot cover is owed. A termination waits for what else is processing, as ever, and is looked at again.
 */
async function correct(tx: Tx, card: CardRow, operation: OperationRow, word: Completed): Promise<void> {
  const { type, reference } = operation;
  const isEnded = type === "terminate" && card.status === "TERMINATED";
  if (type === "issue" || isEnded) return tellOfCorrection(tx, card, operation);
  if (type === "terminate" && (await processingOf(tx, card)).length > 0) return lookAgainSoon(tx, operation);
  if (card.status === "PENDING" || card.status === "FAILED")
    throw new Error(`operation ${operation.id} is of a card that was never issued`);
  await complete(tx, card, operation, word);
  await blockCard(tx, card, `The issuer completed ${type} ${reference} after it had failed here.`);
}

/** Nothing is posted: a card that was made is held by nobody, and one that has ended has been settled. */
async function tellOfCorrection(tx: Tx, { provider }: CardRow, { id, type, reference, cardId, merchantId }: OperationRow): Promise<void> {
  await raiseOperatorAlert(tx, modeOf(provider), {
    type: "card_operation.corrected",
    resourceId: id,
    message: `${provider} completed ${type} ${reference} of card ${cardId} (${merchantId}) after it had failed here. Nothing was posted: look at the card at the issuer.`,
  });
}

async function lookAgainSoon(tx: Tx, { merchantId, id, attempts }: OperationRow): Promise<void> {
  // Once more, also where that was the last look.
  const looks = attempts > 0 ? attempts - 1 : 0;
  await tx
    .update(cardOperations)
    .set({ attempts: looks, lookAgainAt: sql`now() + ${lookAgainAfter(0)} * interval '1 ms'` })
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
}

/** False where the word cannot be taken: the operation stays as it is. */
async function complete(tx: Tx, card: CardRow, operation: OperationRow, word: Completed): Promise<boolean> {
  const { providerReference } = word;
  switch (operation.type) {
    case "issue":
      await completeIssue(tx, card, operation, word);
      return true;
    case "fund":
      await finish(tx, card, operation, { status: "completed", providerReference });
      await postAll(tx, card, operation.status === "failed" ? chargeLate(operation) : charge(operation));
      await tellOfOperation(tx, operation, "card.funded");
      return true;
    case "unload":
      return completeUnload(tx, card, operation, word);
    case "freeze":
    case "unfreeze":
      await finish(tx, card, operation, { status: "completed", providerReference });
      if (await move(tx, card, operation.type)) await tellOfCard(tx, card, operation.type === "freeze" ? "card.frozen" : "card.unfrozen");
      return true;
    case "terminate":
      return completeTermination(tx, card, operation, word);
  }
}

async function completeIssue(tx: Tx, card: CardRow, operation: OperationRow, { providerReference, issued }: Completed): Promise<void> {
  if (!issued) throw new Error(`the issuer completed ${operation.id} and names no card`);
  await finish(tx, card, operation, { status: "completed", providerReference });
  const { cardReference, last4, expiryMonth, expiryYear } = issued;
  const { merchantId } = card;
  // Spend that came before we knew the card is read at once.
  await move(tx, card, "issue", { providerReference: cardReference, last4, expiryMonth, expiryYear, nextSyncAt: sql`now()` });
  await nameCard(tx, card, cardReference);
  await openCardAccount(tx, merchantId, card.id);
  await postAll(tx, card, charge(operation));
  await tellOfCard(tx, card, "card.issued");
}

/** What the issuer took is credited, up to what was asked for. More than that cannot be: nothing is credited until it says otherwise. */
async function completeUnload(tx: Tx, card: CardRow, operation: OperationRow, { providerReference, taken }: Completed): Promise<boolean> {
  if (!taken || taken.minor < 0n) throw new Error(`the issuer completed ${operation.id} and does not say what it took`);
  if (taken.minor > operation.amount) {
    const asked = formatMoney(money(operation.amount, "USD"));
    await blockCard(tx, card, `The issuer says that unload ${operation.reference} of ${asked} took ${formatMoney(taken)}.`);
    return false;
  }
  const isLate = operation.status === "failed";
  // A card that has ended has been settled: only what the issuer kept of it can have been taken by this.
  if (isLate && card.status === "TERMINATED" && (await keptOf(tx, card)) < taken.minor) {
    await tellOfCorrection(tx, card, operation);
    return true;
  }
  if (taken.minor === 0n) {
    if (!isLate) await fail(tx, card, operation, { failureReason: "The card issuer took nothing off the card." });
    return true;
  }
  const walletAmount = toNairaDown(taken, operation.exchangeRate ?? 0n).minor;
  await finish(tx, card, operation, { status: "completed", providerReference, amount: taken.minor, walletAmount });
  await postAll(tx, card, isLate ? unloadLate(operation, taken) : unloadToWallet(operation, taken));
  await tellOfOperation(tx, operation, "card.unloaded");
  return true;
}

/** Settles last: whatever else is processing on the card is part of what the issuer returns. */
async function completeTermination(
  tx: Tx,
  card: CardRow,
  operation: OperationRow,
  { providerReference, taken }: Completed,
): Promise<boolean> {
  if (!taken) throw new Error(`the issuer completed ${operation.id} and names no balance`);
  if ((await processingOf(tx, card)).some(({ id }) => id !== operation.id)) return false;
  const { transfers, price } = await settleEnd(tx, card, operation, taken);
  await finish(tx, card, operation, {
    status: "completed",
    providerReference,
    amount: price?.credited.minor ?? 0n,
    ...(price && { walletAmount: price.walletAmount, exchangeRate: price.rate, midRate: price.mid }),
  });
  await move(tx, card, "terminate", { terminatedAt: sql`now()`, nextSyncAt: sql`now()` });
  await postAll(tx, card, transfers);
  await tellOfCard(tx, card, "card.terminated");
  return true;
}

type Changes = Parameters<ReturnType<Tx["update"]>["set"]>[0];

/** Ends an operation. What waits for it, a termination or money to pass on, is due at once. */
async function finish(tx: Tx, card: CardRow, { merchantId, id, status }: OperationRow, changes: Changes): Promise<void> {
  const isCorrection = status === "failed";
  await tx
    .update(cardOperations)
    .set({
      completedAt: sql`now()`,
      nextAttemptAt: null,
      ...(isCorrection && { correctedAt: sql`now()`, failureReason: null, lookAgainAt: null }),
      ...changes,
    })
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
  await tx
    .update(cardOperations)
    .set({ nextAttemptAt: sql`now()` })
    .where(
      and(
        eq(cardOperations.merchantId, merchantId),
        eq(cardOperations.cardId, card.id),
        eq(cardOperations.type, "terminate"),
        eq(cardOperations.status, "processing"),
        ne(cardOperations.id, id),
      ),
    );
  if (card.status === "TERMINATED") await makeCardDue(tx, card);
}

/** Takes a card along one of its transitions. False where it is past it: a card that was terminated meanwhile is not unfrozen. */
async function move(tx: Tx, card: CardRow, transition: keyof typeof TRANSITIONS, changes: Changes = {}): Promise<boolean> {
  const { from, to } = TRANSITIONS[transition];
  const moved = await tx
    .update(cards)
    .set({ ...changes, status: to })
    .where(and(eq(cards.merchantId, card.merchantId), eq(cards.id, card.id), inArray(cards.status, [...from])))
    .returning({ id: cards.id });
  return moved.length > 0;
}

async function changeCard(tx: Tx, { merchantId, id }: CardRow, changes: Changes): Promise<void> {
  await tx
    .update(cards)
    .set(changes)
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id)));
}

async function postAll(tx: Tx, { merchantId }: CardRow, transfers: Transfer[]): Promise<void> {
  if (transfers.length > 0) await mustPost(tx, merchantId, transfers);
}

type CardEvent = "card.issued" | "card.failed" | "card.frozen" | "card.unfrozen" | "card.terminated";

async function tellOfCard(tx: Tx, { merchantId, id }: CardRow, type: CardEvent): Promise<void> {
  const card = await withBalance(tx, await lockCard(tx, merchantId, id));
  await appendEvent(tx, merchantId, type, presentCard(card));
}

async function tellOfOperation(tx: Tx, { merchantId, id }: OperationRow, type: "card.funded" | "card.unloaded"): Promise<void> {
  const [operation] = await tx
    .select()
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
  if (!operation) throw new Error(`no operation ${id} of ${merchantId}`);
  await appendEvent(tx, merchantId, type, presentOperation(await withCardBalance(tx, operation)));
}
