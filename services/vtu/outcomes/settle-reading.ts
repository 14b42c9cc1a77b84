import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { purchaseExceptions, purchases } from "#db/schema/vtu.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import { raiseAlert, raiseOperatorAlert } from "../../alerts/index.ts";
import { appendEvents } from "../../events/index.ts";
import { mustPost, type Transfer } from "../../ledger/index.ts";
import { modeOf } from "../../providers/index.ts";
import { applied, toEvent } from "../buying/change.ts";
import { chargeAgain, giveBack, resolveHold } from "../buying/journal.ts";
import { type Final, type Transition, transitionOf } from "../buying/transition.ts";
import { openSecrets, sealSecrets } from "../delivery.ts";
import type { PurchaseRow } from "../purchase.ts";
import { LEASE_MS, RECHECK_AFTER_MS } from "../schedule.ts";

/**
 * Settles a purchase by an outcome that was read under a fencing token; a superseded read changes nothing. If the purchase was
 * final already and the outcome differs, money moves again and an exception is stored. Returns false if status and money do not
 * change. Locks: purchase, ledger accounts, event counter.
 */
export async function settleReading(
  { merchantId, id }: Pick<PurchaseRow, "merchantId" | "id">,
  outcome: Final,
  { fencingToken, recheckAfterMs = RECHECK_AFTER_MS }: { fencingToken: number; recheckAfterMs?: number },
): Promise<boolean> {
  return transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(purchases)
      .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id)))
      .for("update");
    if (!before) throw new Error(`no purchase ${id} of ${merchantId}`);
    return before.fencingToken === fencingToken && settleLocked(tx, before, outcome, { recheckAfterMs });
  });
}

interface SettleOptions {
  recheckAfterMs: number;
  /** Whether an operator reports the outcome. It then counts even if the aggregator has contradicted itself too often. */
  byOperator?: boolean;
}

/** As `settleReading`, for a caller that has locked the purchase. */
export async function settleLocked(tx: Tx, before: PurchaseRow, outcome: Final, options: SettleOptions): Promise<boolean> {
  const { merchantId } = before;
  const transition = transitionOf(before, outcome, options);
  if (!transition) return supplement(tx, before, outcome);
  if (transition.kind === "ignored") {
    await noteException(tx, before, transition);
    await alertOnContradiction(tx, before, transition);
    return false;
  }
  const after = applied(before, transition);
  await mustPost(tx, merchantId, [transferOf(before, after, transition)]);
  await store(tx, after, options.recheckAfterMs);
  if (transition.kind !== "settled") await noteException(tx, before, transition);
  if (transition.kind === "reversal") await alertOnReversal(tx, before, after);
  await appendEvents(tx, merchantId, [toEvent(after, transition.kind)]);
  return true;
}

function transferOf(before: PurchaseRow, after: PurchaseRow, { kind }: Transition): Transfer {
  const { charged, corrections } = after;
  if (kind === "settled") return resolveHold(after, charged);
  return kind === "late_success"
    ? chargeAgain(after, charged - before.charged, corrections)
    : giveBack(after, before.charged - charged, corrections);
}

async function store(tx: Tx, after: PurchaseRow, recheckAfterMs: number): Promise<void> {
  const { merchantId, id, status, charged, failureReason, secrets, units, corrections, attempts, completedAt } = after;
  await tx
    .update(purchases)
    .set({
      ...{ status, charged, failureReason, secrets, units, corrections, attempts, completedAt },
      // If a hint arrived in the meantime, it has set another time than the lease. That time stays, so that the purchase is read again.
      nextAttemptAt: sql`case
        when next_attempt_at - leased_at <> ${LEASE_MS} * interval '1 ms' then next_attempt_at
        else (select now()) + ${recheckAfterMs} * interval '1 ms' end`,
    })
    .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id)));
}

/**
 * Stores tokens, pins or units that the aggregator adds after the success. Those that are stored stay, because a customer may have them: if the
 * aggregator names others instead, both are shown, and merchant and operators are alerted. No money moves.
 */
async function supplement(tx: Tx, purchase: PurchaseRow, outcome: Final): Promise<false> {
  if (outcome.status !== "delivered" || purchase.status !== "success") return false;
  const { delivery } = outcome;
  const stored = openSecrets(purchase);
  const tokens = together(stored.tokens, delivery.tokens, plainToken);
  const pins = together(stored.pins, delivery.pins, ({ serial, pin }) => `${serial} ${pin}`);
  const hasMore = tokens.all.length + pins.all.length > stored.tokens.length + stored.pins.length;
  if (!hasMore && (delivery.units === null || purchase.units !== null)) return false;
  const secrets = sealSecrets(purchase, { ...delivery, tokens: tokens.all, pins: pins.all });
  await tx
    .update(purchases)
    .set({ units: delivery.units ?? purchase.units, ...(hasMore && { secrets }) })
    .where(and(eq(purchases.merchantId, purchase.merchantId), eq(purchases.id, purchase.id)));
  if (tokens.areOthers || pins.areOthers) await alertOnOtherSecrets(tx, purchase);
  return false;
}

/** Returns the stored items and the new ones, and whether new ones replace stored ones. */
function together<T>(stored: readonly T[], named: readonly T[], identityOf: (item: T) => string) {
  const known = new Set(stored.map(identityOf));
  const names = new Set(named.map(identityOf));
  const added = named.filter((item) => !known.has(identityOf(item)));
  return { all: [...stored, ...added], areOthers: added.length > 0 && stored.some((item) => !names.has(identityOf(item))) };
}

/** A token in groups is the same token. */
const plainToken = (token: string): string => token.replace(/[\s-]/g, "");

async function alertOnOtherSecrets(tx: Tx, { merchantId, id, provider, productName }: PurchaseRow): Promise<void> {
  const cause = `${id}:named_others`;
  log().fatal({ merchantId, purchaseId: id }, "an aggregator names other tokens or pins than are stored");
  await raiseAlert(tx, merchantId, {
    ...{ type: "vtu.undecided", resourceId: id, cause },
    message: `The provider now names another token or PIN for ${productName} than before. Both are on the top-up. Give your customer the last one.`,
  });
  await raiseOperatorAlert(tx, modeOf(provider), {
    ...{ type: "purchase.contradicted", resourceId: id, cause },
    message: `${provider} names other tokens or pins for ${id} of ${merchantId} than are stored. Both are kept. Was a token mistyped?`,
  });
}

async function alertOnReversal(
  tx: Tx,
  before: PurchaseRow,
  { merchantId, id, productName, charged, corrections }: PurchaseRow,
): Promise<void> {
  const back = formatMoney(money(before.charged - charged, "NGN"));
  await raiseAlert(tx, merchantId, {
    ...{ type: "vtu.reversed", resourceId: id, cause: `${id}:${corrections}` },
    message: `The provider took ${productName} back after it had been delivered. ${back} is back in your wallet.`,
  });
}

/** Ignores a further contradiction: the purchase stays as it is. Alerts merchant and operators, once for each reported outcome. */
async function alertOnContradiction(tx: Tx, before: PurchaseRow, { charged }: Transition): Promise<void> {
  const { merchantId, id, provider, productName, status, corrections } = before;
  const cause = `${id}:contradicted:${corrections}:${charged}`;
  const difference = formatMoney(money(charged > before.charged ? charged - before.charged : before.charged - charged, "NGN"));
  const said = charged > before.charged ? "delivered" : "not delivered";
  await raiseAlert(tx, merchantId, {
    ...{ type: "vtu.undecided", resourceId: id, cause },
    message: `The provider has changed its mind about ${productName} too often. It now says that it was ${said}, which would be ${difference}. Nothing moves until our people have asked.`,
  });
  await raiseOperatorAlert(tx, modeOf(provider), {
    ...{ type: "purchase.contradicted", resourceId: id, cause },
    message: `${provider} has contradicted itself ${corrections} times about ${id} of ${merchantId}. It is ${status} here, and ${provider} now says that it was ${said}: ${difference} did not move. Ask, then: npm run oja -- vtu-settle ${id} --outcome delivered --evidence TEXT --reason TEXT, or --outcome failed`,
  });
}

async function noteException(tx: Tx, before: PurchaseRow, { kind, charged, reason: said }: Transition): Promise<void> {
  if (kind === "settled") return;
  const { merchantId, id: purchaseId } = before;
  const amount = charged > before.charged ? charged - before.charged : before.charged - charged;
  const reason = said ?? `It was ${before.status}, and the provider now says that it was delivered.`;
  const exception = { merchantId, purchaseId, correction: before.corrections + 1, kind, amount, reason };
  const { merchantId: merchant, purchaseId: purchase, correction } = purchaseExceptions;
  const insert = tx.insert(purchaseExceptions).values(exception);
  // An outcome that was ignored takes effect if an operator reports it.
  await (kind === "ignored"
    ? insert.onConflictDoNothing()
    : insert.onConflictDoUpdate({ target: [merchant, purchase, correction], set: { kind, amount, reason } }));
  const level = kind === "ignored" ? "fatal" : "warn";
  log()[level]({ merchantId, purchaseId, kind }, "an aggregator changed the outcome of a final purchase");
}
