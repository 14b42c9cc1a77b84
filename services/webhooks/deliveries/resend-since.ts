import { sql } from "drizzle-orm";
import { afterCommit, transaction } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { DAY_MS } from "#lib/time.ts";
import type { MerchantContext } from "../../context.ts";
import { announceDeliveries, deliveryIdOf } from "../../events/index.ts";
import { verb } from "../../verb.ts";
import { getEndpoint, lockEndpoint } from "../endpoints/read-endpoints.ts";
import { eventsFor, type Found, isMissedBy, oneSearchAtATime, type Reach, type ResendRequest, searchEvents } from "./missed.ts";
import { clearPause, refuseDisabled } from "./resend.ts";

const MAX_AGE_DAYS = 30;

/** The limits of one request. */
interface Limits {
  max: number;
  reach?: Reach;
}

const LIMITS: Limits = { max: 10_000 };

export interface Resent {
  sent: number;
  /** A sequence up to which nothing is left to send. Later events were not read. */
  lastSequence: number;
}

/**
 * Sends an endpoint the events since a time that it did not get: failed deliveries, pending retries, and events of the types that it now
 * gets for which it has no delivery, because it was disabled. Sends at most 10,000 and reads at most 200,000 events in one call, oldest first.
 * What the same request has sent, and what still waits for its first try, is not sent a second time. The endpoint is locked only while what was
 * found is sent. Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR for a time outside of the last 30 days or a disabled endpoint.
 */
export const resendFailedSince = verb(
  { permission: "webhooks:write" },
  async (ctx: MerchantContext, endpointId: string, request: ResendRequest, limits: typeof LIMITS = LIMITS): Promise<Resent> => {
    const { since } = request;
    if (since.getTime() > Date.now()) throw invalid("since", "Send a time that is not in the future.");
    if (since.getTime() < Date.now() - MAX_AGE_DAYS * DAY_MS) throw invalid("since", `Send a time of the last ${MAX_AGE_DAYS} days.`);
    const endpoint = await getEndpoint(ctx, endpointId);
    const resendId = ctx.resourceId ?? newId("request");
    const resent = await oneSearchAtATime(ctx.merchant.id, async () => {
      const found = await searchEvents(endpoint, request, { condition: isMissedBy(endpoint), max: limits.max }, limits.reach);
      return { sent: await sendAgain(ctx, endpointId, found, resendId), lastSequence: found.through };
    });
    // An earlier attempt whose answer was lost may have sent some.
    return ctx.resumed ? findResent(ctx, endpointId, request, resendId, limits.reach) : resent;
  },
);

/** Sends those that are still missed. Returns how many were sent. Locks the endpoint. Throws VALIDATION_ERROR if it is disabled. */
function sendAgain(ctx: MerchantContext, endpointId: string, { sequences }: Found, resendId: string): Promise<number> {
  return transaction(async (tx) => {
    // Lock order everywhere: the endpoint before its deliveries.
    const endpoint = await lockEndpoint(tx, ctx, endpointId);
    refuseDisabled(endpoint);
    await clearPause(tx, ctx, endpointId);
    const [row] = await tx.execute<{ sent: number }>(sql`
      with again as (
        insert into webhook_deliveries as d (merchant_id, id, endpoint_id, event_id, event_type, sequence, last_resend_id, next_attempt_at)
        select ${ctx.merchant.id}, ${deliveryIdOf(sql`${endpointId}::text`, sql`e.id`)}, ${endpointId}, e.id, e.type, e.sequence, ${resendId}, now()
        from ${eventsFor(endpoint)} and e.sequence = any(${sql.param(sequences)}::bigint[]) and ${isMissedBy(endpoint)}
          and known.last_resend_id is distinct from ${resendId}
        order by e.sequence
        on conflict (merchant_id, id) do update
          set status = 'pending', tries = 0, resends = d.resends + 1, last_resend_id = excluded.last_resend_id, next_attempt_at = excluded.next_attempt_at
          where d.status = 'failed' or (d.status = 'pending' and d.tries > 0)
        returning sequence
      )
      select count(*)::int as sent from again`);
    afterCommit(tx, () => announceDeliveries(ctx.merchant.id, [endpointId]));
    return row?.sent ?? 0;
  });
}

/** Returns the deliveries that a request has resent, without those resent by another request since. Reads the same range as the request. */
export async function findResent(
  ctx: MerchantContext,
  endpointId: string,
  request: ResendRequest,
  resendId: string,
  reach?: Reach,
): Promise<Resent> {
  const endpoint = await getEndpoint(ctx, endpointId);
  const wanted = { condition: sql`known.last_resend_id = ${resendId}`, max: Number.MAX_SAFE_INTEGER };
  const { sequences } = await oneSearchAtATime(ctx.merchant.id, () => searchEvents(endpoint, request, wanted, reach));
  return { sent: sequences.length, lastSequence: sequences.at(-1) ?? request.after };
}
