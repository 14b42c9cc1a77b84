import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { purchaseExceptions, purchases } from "#db/schema/vtu.ts";
import { Batches } from "#lib/batches.ts";
import { log } from "#lib/log.ts";
import { appendEvents, type NewEvent } from "../events/index.ts";
import { mustPost, type Transfer } from "../ledger/index.ts";
import { sealSecrets } from "./delivery.ts";
import { chargeAgain, giveBack, resolveHold } from "./journal.ts";
import type { PurchaseRow } from "./purchase.ts";
import { LOOKED_AT_AGAIN_AFTER_MS } from "./schedule.ts";
import { presentPurchaseWithoutSecrets } from "./schemas.ts";
import { type Final, type Transition, transitionOf } from "./transition.ts";

/** A final word of an aggregator's on a purchase. */
interface Word {
  id: string;
  outcome: Final;
  /** Of a reading: the turn that it was read in. Absent for the answer to the purchase itself. */
  turn?: number;
}

const MOST_AT_ONCE = 32;
const words = new Batches<Word, PurchaseRow>(settleAll, MOST_AT_ONCE);

/**
 * Settles a purchase by a final word: purchase, wallet, ledger and event change together, once, however often it is said. Answers the
 * purchase as it is then.
 */
export const settlePurchase = ({ merchantId, id }: Pick<PurchaseRow, "merchantId" | "id">, word: Omit<Word, "id">): Promise<PurchaseRow> =>
  words.add(merchantId, { id, ...word });

/** A purchase, and what becomes of it. */
interface Change {
  before: PurchaseRow;
  after: PurchaseRow;
  transition: Transition;
  /** It was looked at while its own answer was under way: whatever was hinted at is looked at still. */
  keepsItsTurn: boolean;
}

async function settleAll(merchantId: string, batch: Word[]): Promise<PurchaseRow[]> {
  const first = new Map<string, Word>();
  const rest: Word[] = [];
  for (const word of batch) {
    if (first.has(word.id)) rest.push(word);
    else first.set(word.id, word);
  }
  const settled = await settleEach(merchantId, [...first.values()]);
  // A second word on a purchase is held against what the first has made of it.
  const again = rest.length > 0 ? await settleAll(merchantId, rest) : [];
  const now = new Map([...settled, ...again].map((row) => [row.id, row]));
  return batch.flatMap(({ id }) => now.get(id) ?? []);
}

/** One word on each purchase. Locks: purchases by id, ledger accounts, event counter. */
async function settleEach(merchantId: string, batch: Word[]): Promise<PurchaseRow[]> {
  return transaction(async (tx) => {
    const rows = await lock(tx, merchantId, batch);
    const now = new Map(rows.map((row) => [row.id, row]));
    const changes: Change[] = [];
    for (const { id, outcome, turn } of batch) {
      const before = now.get(id);
      if (!before) throw new Error(`no purchase ${id} of ${merchantId}`);
      const transition = isOvertaken(before, turn) ? undefined : transitionOf(before, outcome, { isReading: turn !== undefined });
      if (!transition) continue;
      const after = applied(before, transition);
      now.set(id, after);
      changes.push({ before, after, transition, keepsItsTurn: turn === undefined && before.turn > 0 });
    }
    await carryOut(tx, merchantId, changes);
    return [...now.values()];
  });
}

/** Somebody has begun to read after this reading: theirs is the newer word. */
const isOvertaken = (purchase: PurchaseRow, turn: number | undefined) => turn !== undefined && turn !== purchase.turn;

async function lock(tx: Tx, merchantId: string, batch: Word[]): Promise<PurchaseRow[]> {
  const ids = batch.map(({ id }) => id);
  return tx
    .select()
    .from(purchases)
    .where(and(eq(purchases.merchantId, merchantId), inArray(purchases.id, ids)))
    .orderBy(asc(purchases.id))
    .for("update");
}

function applied(purchase: PurchaseRow, { kind, status, charged, delivery, reason }: Transition): PurchaseRow {
  return {
    ...purchase,
    status,
    charged,
    failureReason: reason,
    // Tokens and pins that were once delivered stay readable, also where they were taken back.
    secrets: (delivery && sealSecrets(purchase, delivery)) ?? purchase.secrets,
    units: delivery?.units ?? purchase.units,
    corrections: kind === "settled" ? purchase.corrections : purchase.corrections + 1,
    attempts: 0,
    completedAt: new Date(),
  };
}

async function carryOut(tx: Tx, merchantId: string, changes: Change[]): Promise<void> {
  if (changes.length === 0) return;
  const transfers: Transfer[] = [];
  for (const change of changes) transfers.push(...(await journalOf(tx, change)));
  await mustPost(tx, merchantId, transfers);
  await store(tx, merchantId, changes);
  await noteExceptions(tx, changes);
  await appendEvents(tx, merchantId, changes.map(toEvent));
}

async function journalOf(tx: Tx, { before, after, transition }: Change): Promise<Transfer[]> {
  const { charged, corrections } = after;
  switch (transition.kind) {
    case "settled":
      return [resolveHold(after, charged)];
    case "late_success":
      return [chargeAgain(after, charged - before.charged, corrections)];
    case "reversal":
      return giveBack(tx, after, before.charged - charged, corrections);
  }
}

async function store(tx: Tx, merchantId: string, changes: Change[]): Promise<void> {
  const given = changes.map(({ after, keepsItsTurn }) => {
    const { id, status, charged, secrets, units, failureReason, corrections, attempts, completedAt } = after;
    return { id, status, charged: String(charged), secrets, units, failureReason, corrections, attempts, completedAt, keepsItsTurn };
  });
  await tx.execute(sql`
    update purchases p set status = given.status, charged = given.charged, secrets = given.secrets, units = given.units,
      failure_reason = given."failureReason", corrections = given.corrections, attempts = given.attempts, completed_at = given."completedAt",
      next_attempt_at = case when given."keepsItsTurn" or p.next_attempt_at <= now() then p.next_attempt_at
        else now() + ${LOOKED_AT_AGAIN_AFTER_MS} * interval '1 ms' end
    from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as given(id text, status purchase_status, charged bigint, secrets text, units text,
      "failureReason" text, corrections int, attempts int, "completedAt" timestamptz, "keepsItsTurn" boolean)
    where p.merchant_id = ${merchantId} and p.id = given.id`);
}

async function noteExceptions(tx: Tx, changes: Change[]): Promise<void> {
  for (const { before, after, transition } of changes) {
    if (transition.kind === "settled") continue;
    const { merchantId, id: purchaseId, corrections: correction } = after;
    const amount = after.charged > before.charged ? after.charged - before.charged : before.charged - after.charged;
    const reason = transition.reason ?? `It was ${before.status}, and the provider now says that it was delivered.`;
    await tx.insert(purchaseExceptions).values({ merchantId, purchaseId, correction, kind: transition.kind, amount, reason });
    log().warn({ merchantId, purchaseId, kind: transition.kind }, "an aggregator changed its word on a purchase that was final");
  }
}

const toEvent = ({ after }: Change): NewEvent => ({
  type: after.status === "success" ? "vtu.success" : after.status === "failed" ? "vtu.failed" : "vtu.reversed",
  data: presentPurchaseWithoutSecrets(after),
});
