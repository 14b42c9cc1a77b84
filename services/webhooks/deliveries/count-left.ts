import type { MerchantContext } from "../../context.ts";
import { getEndpoint } from "../endpoints/read-endpoints.ts";
import { countMissed } from "./count-missed.ts";
import type { Reach, ResendRequest } from "./missed.ts";
import type { Resent } from "./resend-since.ts";

/** The events that a request has not sent yet. */
interface Left {
  /** The sequence after which the next request continues. Up to it, nothing is left to send. */
  lastSequence: number;
  /** The number of events left. 0 only if nothing is left. */
  left: number;
  /** Whether `left` is exact. Otherwise it is a minimum, or 1 if none was found so far. */
  isExact: boolean;
}

/** Counts the events that a request has left to send, like `countMissed`, but without a limit of waiting counts. Throws RESOURCE_NOT_FOUND. */
export async function countLeft(
  ctx: MerchantContext,
  endpointId: string,
  { since }: ResendRequest,
  { lastSequence }: Resent,
  reach?: Reach,
): Promise<Left> {
  const { missed, isExact, through } = await countMissed(
    ctx,
    await getEndpoint(ctx, endpointId),
    { since, after: lastSequence },
    { reach },
  );
  return { lastSequence: missed === 0 ? through : lastSequence, left: isExact ? missed : Math.max(1, missed), isExact };
}
