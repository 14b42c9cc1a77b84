import { and, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { purchases } from "#db/schema/vtu.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { Aggregator, PurchaseOutcome } from "#providers/aggregator.ts";
import type { SystemContext } from "../../context.ts";
import { aggregators } from "../../providers/index.ts";
import { waitAfterMs } from "../../read-waits.ts";
import { resolveDue } from "../../resolve-due.ts";
import { verb } from "../../verb.ts";
import { finalOutcome } from "../buying/transition.ts";
import { orderOf, type PurchaseRow } from "../purchase.ts";
import { LEASE_MS, MAX_CALL_MS, MAX_CLAIM_TO_CALL_MS, MAX_RECHECK_ATTEMPTS, RECHECK_AFTER_MS, RECHECK_LOST_AFTER_MS } from "../schedule.ts";
import { settleReading } from "./settle-reading.ts";

type Name = Pick<PurchaseRow, "merchantId" | "id">;
/** A purchase whose lease this process has. `fencingToken` rises with each lease; `ageMs` is the purchase's age by the database's clock. */
type LeasedPurchase = PurchaseRow & { ageMs: number };

const LOST = { status: "failed", reason: "The provider never received it." } as const;

/** Reads due purchases of all merchants from their aggregators, until none is due or `withinMs` have passed. Returns how many were due. */
export const resolveDuePurchases = verb(
  { actor: ["system"] },
  (_ctx: SystemContext, limit: number = 50, withinMs: number = 10 * SECOND_MS): Promise<number> =>
    resolveDue({ providers: aggregators.all().map(({ name }) => name), limit, withinMs, findDue, resolve: resolveIfDue }),
);

const findDue = (provider: string, limit: number) =>
  db()
    .select({ merchantId: purchases.merchantId, id: purchases.id })
    .from(purchases)
    .where(and(eq(purchases.provider, provider), isNotNull(purchases.nextAttemptAt), lte(purchases.nextAttemptAt, sql`now()`)))
    .orderBy(purchases.nextAttemptAt)
    .limit(limit);

/**
 * Reads one purchase from its aggregator, unless it is not due or another process has the lease. Logs an error; the sweep retries after the
 * lease.
 */
export async function resolveIfDue(name: Name): Promise<void> {
  try {
    const leased = await takeLease(name);
    if (leased) await resolve(leased);
  } catch (error) {
    log().error({ purchaseId: name.id, err: error }, "a purchase could not be resolved; it is tried again");
  }
}

/** Takes the lease of a due purchase and raises the fencing token, which supersedes every earlier read that is still running. */
async function takeLease({ merchantId, id }: Name): Promise<LeasedPurchase | undefined> {
  const [leased] = await db()
    .update(purchases)
    .set({
      fencingToken: sql`${purchases.fencingToken} + 1`,
      leasedAt: sql`now()`,
      nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'`,
    })
    .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id), lte(purchases.nextAttemptAt, sql`now()`)))
    .returning();
  // The age is taken before the aggregator is asked, by the clock that set `created_at`.
  return leased?.leasedAt ? { ...leased, ageMs: leased.leasedAt.getTime() - leased.createdAt.getTime() } : undefined;
}

async function resolve(purchase: LeasedPurchase): Promise<void> {
  const aggregator = aggregators.named(purchase.provider);
  if (!aggregator) throw new Error(`purchase ${purchase.id} is at an aggregator that is not known here`);
  const outcome = await read(aggregator, purchase);
  const final = finalOutcome(purchase, outcome);
  if (!final) return planNext(purchase);
  const recheckAfterMs = outcome === LOST ? RECHECK_LOST_AFTER_MS : RECHECK_AFTER_MS;
  if (!(await settleReading(purchase, final, { fencingToken: purchase.fencingToken, recheckAfterMs }))) await planFor(purchase, RECHECK_AT);
}

/**
 * Reads the outcome from the aggregator. A purchase that the aggregator does not know, although its order would be visible by now, was
 * never taken: it has failed. An order is never sent a second time.
 */
async function read({ capabilities, readPurchase }: Aggregator, purchase: LeasedPurchase): Promise<PurchaseOutcome> {
  const { id: reference, status, ageMs } = purchase;
  const reading = await readPurchase(orderOf(purchase));
  if (reading.status !== "not_found") return reading;
  if (status === "success") {
    log().fatal(
      { purchaseId: reference, merchantId: purchase.merchantId },
      "an aggregator does not know a purchase that it had reported as delivered",
    );
    return { status: "unknown" };
  }
  // The purchase has failed or is reversed. A process that was paused just before its call may still send the order, so reads go on.
  if (status !== "processing") return { status: "unknown" };
  return ageMs > MAX_CLAIM_TO_CALL_MS + MAX_CALL_MS + capabilities.visibleWithinMs ? LOST : { status: "unknown" };
}

async function planNext(purchase: LeasedPurchase): Promise<void> {
  const { attempts, status } = purchase;
  const isGivenUp = status !== "processing" && attempts >= MAX_RECHECK_ATTEMPTS;
  // Wait 0 was before the first read.
  await planFor(purchase, isGivenUp ? RECHECK_AT : sql`now() + ${waitAfterMs(attempts + 1)} * interval '1 ms'`);
}

/** When a final purchase is read once more: `RECHECK_AFTER_MS` after its completion, or never where that time has passed. */
const RECHECK_AT = sql`case when later(completed_at, ${RECHECK_AFTER_MS}) > (select now()) then later(completed_at, ${RECHECK_AFTER_MS}) end`;

/** Plans the next read, unless this lease is superseded or a notice has set another time. */
async function planFor({ merchantId, id, fencingToken, attempts, nextAttemptAt }: LeasedPurchase, next: SQL): Promise<void> {
  await db()
    .update(purchases)
    .set({ attempts: attempts + 1, nextAttemptAt: next })
    .where(
      and(
        eq(purchases.merchantId, merchantId),
        eq(purchases.id, id),
        eq(purchases.fencingToken, fencingToken),
        sql`${purchases.nextAttemptAt} = ${nextAttemptAt?.toISOString() ?? null}::text::timestamptz`,
      ),
    );
}
