import { and, eq, getTableColumns, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { purchases } from "#db/schema/vtu.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { Aggregator, PurchaseOutcome } from "#providers/aggregator.ts";
import type { SystemContext } from "../context.ts";
import { aggregators } from "../providers/index.ts";
import { orderOf, type PurchaseRow } from "./purchase.ts";
import {
  ASKED_WITHIN_MS,
  CALL_WITHIN_MS,
  LEASE_MS,
  LOOKED_AT_AGAIN_AFTER_MS,
  LOST_IS_LOOKED_AT_AFTER_MS,
  MAX_SECOND_LOOKS,
  waitAfter,
} from "./schedule.ts";
import { settleReading } from "./settle-reading.ts";
import { finalWord } from "./transition.ts";

type Name = Pick<PurchaseRow, "merchantId" | "id">;
/** A purchase whose turn somebody has taken, and whether it is so old that its aggregator would know of it if it had ever been asked. */
type Turn = PurchaseRow & { ageMs: number };

const LOST = { status: "failed", reason: "The provider never received it." } as const;
/** Then somebody should look why. */
const LONG_MS = 24 * 3_600 * SECOND_MS;

/** Asks the aggregators what became of purchases that are due, of all merchants, until none is or some time has passed. Returns how many were. */
export async function resolveDuePurchases(_ctx: SystemContext, limit = 50, withinMs = 10 * SECOND_MS): Promise<number> {
  // Each for itself: one that hangs delays nobody at another.
  const done = await Promise.all(aggregators.names().map((provider) => resolveDueAt(provider, limit, Date.now() + withinMs)));
  return done.reduce((sum, each) => sum + each, 0);
}

async function resolveDueAt(provider: string, limit: number, deadline: number): Promise<number> {
  let done = 0;
  for (let found = limit; found === limit && Date.now() < deadline; ) {
    const due = await db()
      .select({ merchantId: purchases.merchantId, id: purchases.id })
      .from(purchases)
      .where(and(eq(purchases.provider, provider), isNotNull(purchases.nextAttemptAt), lte(purchases.nextAttemptAt, sql`now()`)))
      .orderBy(purchases.nextAttemptAt)
      .limit(limit);
    await forEachAtOnce(due, resolveIfDue);
    found = due.length;
    done += found;
  }
  return done;
}

/** Asks what became of one purchase, unless it is not due, or somebody else has just begun to. What goes wrong is logged, and tried again. */
export async function resolveIfDue(name: Name): Promise<void> {
  try {
    const turn = await takeTurn(name);
    if (turn) await resolve(turn);
  } catch (error) {
    log().error({ purchaseId: name.id, err: error }, "a purchase could not be resolved; it is tried again");
  }
}

/** Keeps other workers away for as long as asking takes, and makes every earlier reading that is still under way an old one. */
async function takeTurn({ merchantId, id }: Name): Promise<Turn | undefined> {
  const [taken] = await db()
    .update(purchases)
    .set({ turn: sql`${purchases.turn} + 1`, lastTurnAt: sql`now()`, nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
    .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id), lte(purchases.nextAttemptAt, sql`now()`)))
    // Judged by the database's clock, before the aggregator is asked.
    .returning({ ...getTableColumns(purchases), ageMs: sql<number>`(extract(epoch from now() - ${purchases.createdAt}) * 1000)::float8` });
  return taken;
}

async function resolve(purchase: Turn): Promise<void> {
  const aggregator = aggregators.named(purchase.provider);
  if (!aggregator) throw new Error(`purchase ${purchase.id} is at an aggregator that is not known here`);
  const outcome = await read(aggregator, purchase);
  const word = finalWord(purchase, outcome);
  if (!word) return planNext(purchase);
  const lookAgainAfterMs = outcome === LOST ? LOST_IS_LOOKED_AT_AFTER_MS : LOOKED_AT_AGAIN_AFTER_MS;
  if (!(await settleReading(purchase, word, { turn: purchase.turn, lookAgainAfterMs }))) await planFor(purchase, SECOND_LOOK);
}

/** One that the aggregator does not know, though by now it would, was never taken: it has failed. Nothing is ever asked for a second time. */
async function read({ capabilities, readPurchase }: Aggregator, purchase: Turn): Promise<PurchaseOutcome> {
  const { id: reference, status, ageMs } = purchase;
  const reading = await readPurchase(orderOf(purchase));
  if (reading.status !== "not_found") return reading;
  if (status === "success") {
    log().fatal({ purchaseId: reference, merchantId: purchase.merchantId }, "an aggregator does not know of what it said it had delivered");
    return { status: "unknown" };
  }
  // Given up already. A process that was paused before its call may still ask: it is looked at as often as a list that cannot be read.
  if (status !== "processing") return { status: "unknown" };
  return ageMs > ASKED_WITHIN_MS + CALL_WITHIN_MS + capabilities.visibleWithinMs ? LOST : { status: "unknown" };
}

async function planNext(purchase: Turn): Promise<void> {
  const { attempts, status, ageMs, id, merchantId } = purchase;
  if (status === "processing" && ageMs > LONG_MS) {
    log().error({ purchaseId: id, merchantId, attempts }, "a purchase is undecided for more than a day: ask the aggregator's people");
  }
  const isGivenUp = status !== "processing" && attempts >= MAX_SECOND_LOOKS;
  // The first wait is over when it is asked for the first time.
  await planFor(purchase, isGivenUp ? SECOND_LOOK : sql`now() + ${waitAfter(attempts + 1)} * interval '1 ms'`);
}

/** Of what is final: once, a day after. */
const SECOND_LOOK = sql`case when completed_at + ${LOOKED_AT_AGAIN_AFTER_MS} * interval '1 ms' > now()
  then completed_at + ${LOOKED_AT_AGAIN_AFTER_MS} * interval '1 ms' end`;

/** Unless somebody has taken a newer turn, or a notice has made it due. */
async function planFor({ merchantId, id, turn, attempts, nextAttemptAt }: Turn, next: SQL): Promise<void> {
  await db()
    .update(purchases)
    .set({ attempts: attempts + 1, nextAttemptAt: next })
    .where(
      and(
        eq(purchases.merchantId, merchantId),
        eq(purchases.id, id),
        eq(purchases.turn, turn),
        sql`${purchases.nextAttemptAt} = ${nextAttemptAt?.toISOString() ?? null}::text::timestamptz`,
      ),
    );
}
