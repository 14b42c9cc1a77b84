import { settings } from "#lib/env.ts";
import { FairSlots, NoSlot } from "#lib/fair-slots.ts";
import { Problem } from "#lib/problem.ts";
import type { MerchantContext } from "#services/context.ts";

/** Requests of one merchant in this process. Each waits for a slot, a query or a provider, and costs a few KB meanwhile. */
const MAX_OF_A_MERCHANT = 512;
/** Most servers give up after 10 to 30 s. A request that waited for longer would be carried out for no reader. */
const WAIT_AT_MOST_MS = 10_000;
const RETRY_AFTER_S = 1;

let slots: FairSlots | undefined;

/**
 * A request at work uses one connection of the database at most times. Those of one merchant use three quarters of the pool, so slow queries of one
 * leave the rest to others. With half of it, purchases from one wallet come in batches that are too small: a fifth fewer a second. Twice as many
 * requests as connections are at work, so that the database has the next query while this process computes.
 */
function slotsOfProcess(): FairSlots {
  const { DATABASE_POOL_SIZE: connections } = settings();
  slots ??= new FairSlots({
    maxAtWork: 2 * connections,
    maxAtWorkOfOne: Math.max(1, Math.floor((3 * connections) / 4)),
    maxOfOne: MAX_OF_A_MERCHANT,
    waitAtMostMs: WAIT_AT_MOST_MS,
  });
  return slots;
}

/**
 * Runs the work of a request in a slot of its merchant. What members click precedes what the merchant's servers send. Throws RATE_LIMITED where the
 * merchant has too many requests in this process, or this one waited too long; `work` has not begun then.
 */
export async function inSlot<T>({ merchant, actor }: MerchantContext, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await slotsOfProcess().run(merchant.id, work, { first: actor.type === "member", signal });
  } catch (error) {
    if (!(error instanceof NoSlot)) throw error;
    throw new Problem("RATE_LIMITED", `Too many requests of this account are being served. Wait ${RETRY_AFTER_S} s, then send it again.`, {
      headers: { "Retry-After": String(RETRY_AFTER_S) },
    });
  }
}
