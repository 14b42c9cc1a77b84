import { and, eq, inArray, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardOperations, cards, issuerReferences } from "#db/schema/cards.ts";
import { log } from "#lib/log.ts";
import { type Money, money } from "#lib/money.ts";
import type { Outcome } from "#providers/issuer.ts";
import { appendEvent } from "../events/index.ts";
import { lastRate, toNairaDown, toNairaUp } from "../exchange/index.ts";
import { mustPost, openCardAccount, type Transfer } from "../ledger/index.ts";
import { modeOf } from "../providers/index.ts";
import type { CardRow, OperationRow } from "./card.ts";
import { cardToWallet, charge, release, unloadToWallet, walletToCard } from "./journal.ts";
import { lockCard, withBalance, withCardBalance } from "./rows.ts";
import { waitAfter } from "./schedule.ts";
import { presentCard, presentOperation } from "./schemas.ts";
import { TRANSITIONS } from "./state-machine.ts";

type Completed = Extract<Outcome, { status: "completed" }>;

/**
 * Settles what the issuer says of an operation: card, wallet, ledger and event change together, once, however often it is said.
 * Pending and unknown change nothing but the time at which it is asked again, and that only at its turn. Locks: card, operation, ledger accounts, event counter.
 */
export async function settleOperation(
  { merchantId, cardId, id }: Pick<OperationRow, "merchantId" | "cardId" | "id">,
  outcome: Outcome,
  { isTurn }: { isTurn: boolean },
): Promise<void> {
  await transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, cardId);
    const [operation] = await tx
      .select()
      .from(cardOperations)
      .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)))
      .for("update");
    if (operation?.status === "failed" && outcome.status === "completed") {
      log().fatal(
        { operationId: id, merchantId },
        "an issuer did what it was believed never to have taken: the card holds more than it was charged for",
      );
    }
    if (operation?.status !== "processing") return;
    switch (outcome.status) {
      case "completed":
        return complete(tx, card, operation, outcome);
      case "failed":
        return fail(tx, card, operation, outcome.reason);
      default:
        await nameOperation(tx, card, operation, outcome.status === "pending" ? outcome.providerReference : null);
        if (isTurn) await waitForNextTurn(tx, operation);
    }
  });
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

async function fail(tx: Tx, card: CardRow, operation: OperationRow, failureReason: string): Promise<void> {
  await finish(tx, operation, { status: "failed", failureReason });
  await postAll(tx, card, release(operation));
  if (operation.type !== "issue") return;
  await changeCard(tx, card, { status: "FAILED", nextSyncAt: null });
  await tellOfCard(tx, card, "card.failed");
}

async function complete(tx: Tx, card: CardRow, operation: OperationRow, outcome: Completed): Promise<void> {
  const { providerReference } = outcome;
  switch (operation.type) {
    case "issue":
      return completeIssue(tx, card, operation, outcome);
    case "fund":
      await finish(tx, operation, { status: "completed", providerReference });
      await postAll(tx, card, charge(operation));
      return tellOfOperation(tx, operation, "card.funded");
    case "unload":
      return completeUnload(tx, card, operation, outcome);
    case "freeze":
    case "unfreeze":
      await finish(tx, operation, { status: "completed", providerReference });
      if (await move(tx, card, operation.type)) await tellOfCard(tx, card, operation.type === "freeze" ? "card.frozen" : "card.unfrozen");
      return;
    case "terminate":
      return completeTermination(tx, card, operation, outcome);
  }
}

async function completeIssue(tx: Tx, card: CardRow, operation: OperationRow, { providerReference, issued }: Completed): Promise<void> {
  if (!issued) throw new Error(`the issuer completed ${operation.id} and names no card`);
  await finish(tx, operation, { status: "completed", providerReference });
  const { cardReference, last4, expiryMonth, expiryYear } = issued;
  const { merchantId } = card;
  // Whatever was spent before we knew the card is read at once.
  await move(tx, card, "issue", { providerReference: cardReference, last4, expiryMonth, expiryYear, nextSyncAt: sql`now()` });
  await nameCard(tx, card, cardReference);
  await openCardAccount(tx, merchantId, card.id);
  await postAll(tx, card, charge(operation));
  await tellOfCard(tx, card, "card.issued");
}

async function completeUnload(tx: Tx, card: CardRow, operation: OperationRow, { providerReference, taken }: Completed): Promise<void> {
  if (!taken || taken.minor < 0n) throw new Error(`the issuer completed ${operation.id} and does not say what it took`);
  if (taken.minor === 0n) return fail(tx, card, operation, "The card issuer took nothing off the card.");
  // What the issuer confirmed is credited, be it less than what was asked for, or more.
  const walletAmount = toNairaDown(taken, operation.exchangeRate ?? 0n).minor;
  await finish(tx, operation, { status: "completed", providerReference, amount: taken.minor, walletAmount });
  await postAll(tx, card, await unloadToWallet(tx, operation, taken));
  await tellOfOperation(tx, operation, "card.unloaded");
}

/** The balance that the issuer confirmed goes to the wallet, or where the card was overdrawn, is paid by it. Now: at the rate of this moment. */
async function completeTermination(tx: Tx, card: CardRow, operation: OperationRow, { providerReference, taken }: Completed): Promise<void> {
  if (!taken) throw new Error(`the issuer completed ${operation.id} and names no balance`);
  const price = taken.minor === 0n ? null : await priceOf(tx, card, taken);
  await finish(tx, operation, {
    status: "completed",
    providerReference,
    amount: taken.minor,
    ...(price && { walletAmount: price.walletAmount, exchangeRate: price.rate, midRate: price.mid }),
  });
  // What was spent before the end and is not recorded yet is in what the issuer confirmed: it is read at once.
  await move(tx, card, "terminate", { terminatedAt: sql`now()`, nextSyncAt: sql`now()` });
  if (price) {
    const meta = { type: "card_terminate", reference: operation.reference, exchange_rate: String(price.rate) };
    const exchange = { key: operation.id, rates: price, meta };
    await postAll(
      tx,
      card,
      taken.minor > 0n ? await cardToWallet(tx, card, taken, exchange) : walletToCard(card, negated(taken), exchange),
    );
  }
  await tellOfCard(tx, card, "card.terminated");
}

const negated = ({ minor, currency }: Money) => money(-minor, currency);

interface Price {
  rate: bigint;
  mid: bigint;
  walletAmount: bigint;
}

async function priceOf(tx: Tx, { merchantId, provider }: CardRow, taken: Money): Promise<Price> {
  const { buy, mid, sell } = await lastRate(tx, { id: merchantId, mode: modeOf(provider) });
  return taken.minor > 0n
    ? { rate: buy, mid, walletAmount: toNairaDown(taken, buy).minor }
    : { rate: sell, mid, walletAmount: toNairaUp(negated(taken), sell).minor };
}

async function finish(tx: Tx, { merchantId, id }: OperationRow, changes: Partial<OperationRow>): Promise<void> {
  await tx
    .update(cardOperations)
    .set({ ...changes, completedAt: sql`now()`, nextAttemptAt: null })
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.id, id)));
}

type Changes = Parameters<ReturnType<Tx["update"]>["set"]>[0];

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

async function changeCard(tx: Tx, { merchantId, id }: CardRow, changes: Partial<CardRow>): Promise<void> {
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
