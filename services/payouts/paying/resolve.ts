import { payouts } from "#db/schema/payouts.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { PayoutBank, PayoutOutcome } from "#providers/payout-bank.ts";
import type { SystemContext } from "../../context.ts";
import { finalOutcome, MAX_CALL_MS, MAX_CLAIM_TO_CALL_MS, RECHECK_AFTER_MS, RECHECK_LOST_AFTER_MS } from "../../money-out.ts";
import { tellOfLost, tellOfNeed } from "../../money-out-alerts.ts";
import { dueIn, planNext, planRecheck, takeLease } from "../../money-out-reads.ts";
import { payoutBanks } from "../../providers/index.ts";
import { resolveDue } from "../../resolve-due.ts";
import { verb } from "../../verb.ts";
import { orderOf, type PayoutRow } from "../payout.ts";
import type { PayoutKey } from "../rows.ts";
import { settle } from "./settle.ts";

const LOST = { status: "failed", reason: "The bank never received it." } as const;

/** Reads due payouts of all merchants from their banks, until none is due or `withinMs` have passed. Returns how many were due. */
export const resolveDuePayouts = verb(
  { actor: ["system"] },
  (_ctx: SystemContext, limit: number = 50, withinMs: number = 10 * SECOND_MS): Promise<number> =>
    resolveDue({ providers: payoutBanks.all().map(({ name }) => name), limit, withinMs, findDue: dueIn(payouts), resolve: resolveIfDue }),
);

/** Reads one payout from its bank, unless it is not due or another process has the lease. Logs an error; the sweep retries after the lease. */
export async function resolveIfDue(key: PayoutKey): Promise<void> {
  try {
    const leased = await takeLease(payouts, key);
    if (leased) await resolve(leased);
  } catch (error) {
    log().error({ payoutId: key.id, err: error }, "a payout could not be resolved; it is tried again");
  }
}

async function resolve(payout: PayoutRow): Promise<void> {
  const bank = payoutBanks.named(payout.provider);
  if (!bank) throw new Error(`payout ${payout.id} is at a bank that is not known here`);
  const outcome = await read(bank, payout);
  if (outcome.status === "pending" && outcome.needs !== undefined) await tellOfNeed("payout", payout, outcome.needs);
  const final = finalOutcome(outcome);
  if (!final) return planNext(payouts, payout);
  const recheckAfterMs = outcome === LOST ? RECHECK_LOST_AFTER_MS : RECHECK_AFTER_MS;
  const hasChanged = await settle(payout, final, payout.fencingToken, { recheckAfterMs });
  if (!hasChanged) await planRecheck(payouts, payout);
  else if (outcome === LOST) await tellOfLost("payout", payout);
}

/**
 * Reads the outcome from the bank. A payout that the bank does not know, although its order would be visible by now, was never taken: it has failed. An
 * order is never sent a second time.
 */
async function read(bank: PayoutBank, payout: PayoutRow): Promise<PayoutOutcome> {
  const { id, status } = payout;
  const reading = await bank.readPayout(orderOf(payout));
  if (reading.status !== "not_found") return reading;
  if (status === "paid") {
    log().fatal({ payoutId: id, merchantId: payout.merchantId }, "a bank does not know a payout that it had reported as paid");
    return { status: "unknown" };
  }
  // The payout has failed or is reversed. A process that was paused just before its call may still send the order, so reads go on.
  if (status !== "processing") return { status: "unknown" };
  return ageMsOf(payout) > MAX_CLAIM_TO_CALL_MS + MAX_CALL_MS + bank.capabilities.visibleWithinMs ? LOST : { status: "unknown" };
}

/** The age is taken before the bank is asked, by the clock that set `created_at`. */
const ageMsOf = ({ leasedAt, createdAt }: PayoutRow): number => (leasedAt?.getTime() ?? 0) - createdAt.getTime();
