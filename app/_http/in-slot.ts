import { settings } from "#lib/env.ts";
import { FairSlots, NoSlot } from "#lib/fair-slots.ts";
import { Problem } from "#lib/problem.ts";
import type { MerchantContext } from "#services/context.ts";

/** A second of requests and a burst, at the default rate, are 300. */
const MAX_WAITING_OF_A_MERCHANT = 512;
/** More than the requests that wait for a silent provider at the default rate until its adapter gives up. Each costs a few KB. */
const MAX_OF_A_MERCHANT = 2_048;
/** Shorter than a process drains before its end, so that requests that wait are answered too. */
const WAIT_AT_MOST_MS = 5_000;
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
    maxWaitingOfOne: MAX_WAITING_OF_A_MERCHANT,
    maxOfOne: MAX_OF_A_MERCHANT,
    waitAtMostMs: WAIT_AT_MOST_MS,
  });
  return slots;
}

/**
 * Runs the work of a request in a slot of its merchant. Requests of members and of servers take the merchant's slots by turns. Throws RATE_LIMITED
 * before `work` begins, if the merchant has too many requests in this process or this one has waited too long.
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
