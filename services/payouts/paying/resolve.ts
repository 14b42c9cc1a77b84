import { and, eq, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { payouts } from "#db/schema/payouts.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { PayoutBank, PayoutOutcome } from "#providers/payout-bank.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { modeOf, payoutBanks } from "../../providers/index.ts";
import { waitAfterMs } from "../../read-waits.ts";
import { resolveDue } from "../../resolve-due.ts";
import { verb } from "../../verb.ts";
import { orderOf, type PayoutRow } from "../payout.ts";
import { isPayout, type PayoutKey } from "../rows.ts";
import { LEASE_MS, MAX_CALL_MS, MAX_CLAIM_TO_CALL_MS, MAX_RECHECK_ATTEMPTS, RECHECK_AFTER_MS, RECHECK_LOST_AFTER_MS } from "../schedule.ts";
import { settle } from "./settle.ts";
import { finalOutcome } from "./transition.ts";

/** A payout whose lease this process has. `fencingToken` rises with each lease; `ageMs` is the payout's age by the database's clock. */
type LeasedPayout = PayoutRow & { ageMs: number };

const LOST = { status: "failed", reason: "The bank never received it." } as const;

/** Reads due payouts of all merchants from their banks, until none is due or `withinMs` have passed. Returns how many were due. */
export const resolveDuePayouts = verb(
  { actor: ["system"] },
  (_ctx: SystemContext, limit: number = 50, withinMs: number = 10 * SECOND_MS): Promise<number> =>
    resolveDue({ providers: payoutBanks.all().map(({ name }) => name), limit, withinMs, findDue, resolve: resolveIfDue }),
);

const findDue = (provider: string, limit: number) =>
  db()
    .select({ merchantId: payouts.merchantId, id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.provider, provider), isNotNull(payouts.nextAttemptAt), lte(payouts.nextAttemptAt, sql`now()`)))
    .orderBy(payouts.nextAttemptAt)
    .limit(limit);

/** Reads one payout from its bank, unless it is not due or another process has the lease. Logs an error; the sweep retries after the lease. */
export async function resolveIfDue(key: PayoutKey): Promise<void> {
  try {
    const leased = await takeLease(key);
    if (leased) await resolve(leased);
  } catch (error) {
    log().error({ payoutId: key.id, err: error }, "a payout could not be resolved; it is tried again");
  }
}

/** Takes the lease of a due payout and raises the fencing token, which supersedes every earlier answer that is still on its way. */
async function takeLease(key: PayoutKey): Promise<LeasedPayout | undefined> {
  const [leased] = await db()
    .update(payouts)
    .set({
      fencingToken: sql`${payouts.fencingToken} + 1`,
      leasedAt: sql`now()`,
      nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'`,
    })
    .where(and(isPayout(key), lte(payouts.nextAttemptAt, sql`now()`)))
    .returning();
  // The age is taken before the bank is asked, by the clock that set `created_at`.
  return leased?.leasedAt ? { ...leased, ageMs: leased.leasedAt.getTime() - leased.createdAt.getTime() } : undefined;
}

async function resolve(payout: LeasedPayout): Promise<void> {
  const bank = payoutBanks.named(payout.provider);
  if (!bank) throw new Error(`payout ${payout.id} is at a bank that is not known here`);
  const outcome = await read(bank, payout);
  if (outcome.status === "pending" && outcome.needs !== undefined) await tellOfNeed(payout, outcome.needs);
  const final = finalOutcome(outcome);
  if (!final) return planNext(payout);
  const recheckAfterMs = outcome === LOST ? RECHECK_LOST_AFTER_MS : RECHECK_AFTER_MS;
  if (!(await settle(payout, final, payout.fencingToken, { recheckAfterMs }))) await planFor(payout, RECHECK_AT);
}

/**
 * Reads the outcome from the bank. A payout that the bank does not know, although its order would be visible by now, was never taken: it has failed. An
 * order is never sent a second time.
 */
async function read(bank: PayoutBank, payout: LeasedPayout): Promise<PayoutOutcome> {
  const { id, status, ageMs } = payout;
  const reading = await bank.readPayout(orderOf(payout));
  if (reading.status !== "not_found") return reading;
  if (status === "paid") {
    log().fatal({ payoutId: id, merchantId: payout.merchantId }, "a bank does not know a payout that it had reported as paid");
    return { status: "unknown" };
  }
  // The payout has failed or is reversed. A process that was paused just before its call may still send the order, so reads go on.
  if (status !== "processing") return { status: "unknown" };
  return ageMs > MAX_CLAIM_TO_CALL_MS + MAX_CALL_MS + bank.capabilities.visibleWithinMs ? LOST : { status: "unknown" };
}

async function tellOfNeed({ merchantId, id, provider, amount }: PayoutRow, need: string): Promise<void> {
  const sum = formatMoney(money(amount, "NGN"));
  const message = `${provider} waits with ${sum} of ${id} (${merchantId}): ${need}`;
  await alertOperators(modeOf(provider), { type: "payout.needs_operator", resourceId: id, cause: `${id}:needs`, message });
}

async function planNext(payout: LeasedPayout): Promise<void> {
  const { attempts, status } = payout;
  const isGivenUp = status !== "processing" && attempts >= MAX_RECHECK_ATTEMPTS;
  // Wait 0 was before the first read.
  await planFor(payout, isGivenUp ? RECHECK_AT : sql`now() + ${waitAfterMs(attempts + 1)} * interval '1 ms'`);
}

/** When a final payout is read once more: `RECHECK_AFTER_MS` after its end, or never where that time has passed. */
const RECHECK_AT = sql`case
  when later(coalesce(ended_at, paid_at), ${RECHECK_AFTER_MS}) > (select now()) then later(coalesce(ended_at, paid_at), ${RECHECK_AFTER_MS}) end`;

/** Plans the next read, unless this lease is superseded or a notice has set another time. */
async function planFor({ fencingToken, attempts, nextAttemptAt, ...key }: LeasedPayout, next: SQL): Promise<void> {
  await db()
    .update(payouts)
    .set({ attempts: attempts + 1, nextAttemptAt: next })
    .where(
      and(
        isPayout(key),
        eq(payouts.fencingToken, fencingToken),
        sql`${payouts.nextAttemptAt} = ${nextAttemptAt?.toISOString() ?? null}::text::timestamptz`,
      ),
    );
}
