import { MAX_WAITING } from "#lib/one-at-a-time.ts";
import type { MerchantContext } from "../../context.ts";
import type { Endpoint } from "../endpoint.ts";
import { getEndpoint } from "../endpoints/read-endpoints.ts";
import { isMissedBy, oneSearchAtATime, type Reach, type ResendRequest, searchEvents } from "./missed.ts";

/** The most events that are counted. `resendFailedSince` sends as many at once. */
const MAX_MISSED = 10_000;

export interface MissedCount {
  missed: number;
  /** Whether all events were read. Otherwise `missed` is a minimum. */
  isExact: boolean;
  /** The last sequence that was read. */
  through: number;
}

/**
 * Counts the events since a time, and behind the sequence `after`, that an endpoint wants and has not got: those that `resendFailedSince`
 * would send. Counts at most 10,000 and reads at most 200,000 events. A process runs one count of a merchant at a time.
 */
export async function countMissed(
  _ctx: MerchantContext,
  endpoint: Endpoint,
  request: ResendRequest,
  { reach, maxWaiting }: { reach?: Reach | undefined; maxWaiting?: number } = {},
): Promise<MissedCount> {
  const wanted = { condition: isMissedBy(endpoint), max: MAX_MISSED };
  const { sequences, through, isAll } = await oneSearchAtATime(
    endpoint.merchantId,
    () => searchEvents(endpoint, request, wanted, reach),
    maxWaiting,
  );
  return { missed: sequences.length, isExact: isAll, through };
}

/** As `countMissed`, of the endpoint with an id. Throws RESOURCE_NOT_FOUND, and RATE_LIMITED when more than 32 counts of the merchant wait. */
export const countMissedBy = async (ctx: MerchantContext, id: string, request: ResendRequest, reach?: Reach): Promise<MissedCount> =>
  countMissed(ctx, await getEndpoint(ctx, id), request, { reach, maxWaiting: MAX_WAITING });
