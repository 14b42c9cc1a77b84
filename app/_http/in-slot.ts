import { settings } from "#lib/env.ts";
import { FairSlots, NoSlot } from "#lib/fair-slots.ts";
import { Problem } from "#lib/problem.ts";
import type { MerchantContext } from "#services/context.ts";

/** At the default rate a merchant sends up to 300 requests in one second, with the burst. */
const MAX_WAITING_OF_A_MERCHANT = 512;
/** More than the requests, at the default rate, that wait for a silent provider until its adapter times out. Each costs a few KB. */
const MAX_OF_A_MERCHANT = 2_048;
/** Shorter than the time that a stopping process takes to drain, so that waiting requests are answered too. */
const WAIT_AT_MOST_MS = 5_000;
const RETRY_AFTER_S = 1;

let slots: FairSlots | undefined;

/**
 * A running request mostly uses one database connection. Those of one merchant use at most three quarters of the pool, so its slow queries
 * leave the rest to others. With half of the pool, purchases from one wallet form smaller batches: a fifth fewer a second. Twice as many
 * requests as connections run, so that the database always has a query while this process computes.
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
 * Runs the work of a request in a slot of its merchant. Free slots go alternately to requests of members and of servers. Throws RATE_LIMITED
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
