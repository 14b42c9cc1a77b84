import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { oneTimeAccounts } from "#db/schema/checkout.ts";
import { OPENS_REFUNDS_OF_A_LINK, refunds } from "#db/schema/refunds.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { RefundOutcome } from "#providers/refunds.ts";
import type { SystemContext } from "../../context.ts";
import { findMerchantOf } from "../../find-merchant-of.ts";
import { finalOutcome, MAX_CALL_MS, MAX_CLAIM_TO_CALL_MS, RECHECK_AFTER_MS, RECHECK_LOST_AFTER_MS } from "../../money-out.ts";
import { tellOfLost, tellOfNeed } from "../../money-out-alerts.ts";
import { DUE_BY_HINT, dueIn, planNext, planRecheck, takeLease } from "../../money-out-reads.ts";
import { banks, payoutBanks } from "../../providers/index.ts";
import { resolveDue } from "../../resolve-due.ts";
import { verb } from "../../verb.ts";
import { idOfRefund, type RefundRow } from "../refund.ts";
import { noteBankReference, senderOf } from "./order-refund.ts";
import { isRefund, type RefundKey } from "./refund-rows.ts";
import { settleRefund } from "./settle-refund.ts";

const LOST = { status: "failed", reason: "The bank never received it." } as const;

/** Reads due refunds of all merchants from their banks, until none is due or `withinMs` have passed. Returns how many were due. */
export const resolveDueRefunds = verb(
  { actor: ["system"] },
  (_ctx: SystemContext, limit: number = 50, withinMs: number = 10 * SECOND_MS): Promise<number> =>
    resolveDue({ providers: providerNames(), limit, withinMs, findDue: dueIn(refunds), resolve: resolveIfDue }),
);

const providerNames = (): string[] => [...new Set([...banks.all(), ...payoutBanks.all()].map(({ name }) => name))];

/** Reads one refund from its bank, unless it is not due or another process has the lease. Logs an error; the sweep retries after the lease. */
export async function resolveIfDue(key: RefundKey): Promise<void> {
  try {
    const leased = await takeLease(refunds, key);
    if (leased) await resolve(leased);
  } catch (error) {
    log().error({ refundId: key.id, err: error }, "a refund could not be resolved; it is tried again");
  }
}

async function resolve(refund: RefundRow): Promise<void> {
  const outcome = await read(refund);
  await noteBankReference(refund, outcome);
  if (outcome.status === "pending" && outcome.needs !== undefined) await tellOfNeed("refund", refund, outcome.needs);
  const final = finalOutcome(outcome);
  if (!final) return planNext(refunds, refund);
  const recheckAfterMs = outcome === LOST ? RECHECK_LOST_AFTER_MS : RECHECK_AFTER_MS;
  const hasChanged = await settleRefund(refund, final, refund.fencingToken, { recheckAfterMs });
  if (!hasChanged) await planRecheck(refunds, refund);
  else if (outcome === LOST) await tellOfLost("refund", refund);
}

/**
 * Reads the outcome from the bank. A refund that the bank does not know, although its order would be visible by now, was never taken: it has failed. An
 * order is never sent a second time.
 */
async function read(refund: RefundRow): Promise<RefundOutcome> {
  const { id, merchantId, status } = refund;
  const { read: ask, visibleWithinMs } = await senderOf(refund);
  const reading = await ask();
  if (reading.status !== "not_found") return reading;
  if (status === "paid") {
    log().fatal({ refundId: id, merchantId }, "a bank does not know a refund that it had reported as paid");
    return { status: "unknown" };
  }
  // The bank has told its id of it, so it was taken.
  if (refund.bankReference !== null) return { status: "unknown" };
  // The refund has failed or is reversed. A process that was paused just before its call may still send the order, so reads go on.
  if (status !== "processing") return { status: "unknown" };
  return ageMsOf(refund) > MAX_CLAIM_TO_CALL_MS + MAX_CALL_MS + visibleWithinMs ? LOST : { status: "unknown" };
}

/** The age is taken before the bank is asked, by the clock that set `ordered_at`. */
const ageMsOf = ({ leasedAt, orderedAt }: RefundRow): number =>
  (leasedAt?.getTime() ?? 0) - (orderedAt?.getTime() ?? Number.POSITIVE_INFINITY);

/**
 * Makes the refunds of a payment due to be read, final or not, because their bank sent a notice about them. The due times are committed when this returns,
 * so the notice may be acknowledged. Ignores an account that is not ours.
 */
export const receiveHintOfRefunds = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, provider: string, accountOfHint: string): Promise<void> => {
    const { accountReference, merchantId, linkId } = oneTimeAccounts;
    const [account] = await db()
      .select({ merchantId, linkId })
      .from(oneTimeAccounts)
      .where(and(eq(oneTimeAccounts.provider, provider), eq(accountReference, accountOfHint)));
    if (!account) return;
    const due = await db()
      .update(refunds)
      .set({ nextAttemptAt: DUE_BY_HINT })
      .where(
        and(
          ...[eq(refunds.merchantId, account.merchantId), eq(refunds.linkId, account.linkId), sql.raw(OPENS_REFUNDS_OF_A_LINK)],
          ...[eq(refunds.provider, provider), eq(refunds.route, "bank"), isNotNull(refunds.orderedAt)],
        ),
      )
      .returning({ merchantId: refunds.merchantId, id: refunds.id });
    // The worker reads the others: the bank waits for the answer to its notice.
    const [first] = due;
    if (first) await resolveIfDue(first);
  },
);

/**
 * As `receiveHintOfRefunds`, for a notice that names one refund, or the payout that a refund is at the bank, by our reference. Returns false for any other
 * reference.
 */
export const receiveHintOfRefund = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, provider: string, reference: string): Promise<boolean> => {
    const id = idOfRefund(reference);
    const merchantId = id.startsWith("rfd_") ? await findMerchantOf(id) : undefined;
    if (merchantId === undefined) return false;
    const isIt = and(isRefund({ merchantId, id }), eq(refunds.provider, provider));
    const due = await db()
      .update(refunds)
      .set({ nextAttemptAt: DUE_BY_HINT })
      .where(and(isIt, isNotNull(refunds.orderedAt)))
      .returning({ id: refunds.id });
    if (due.length > 0) await resolveIfDue({ merchantId, id });
    return true;
  },
);
