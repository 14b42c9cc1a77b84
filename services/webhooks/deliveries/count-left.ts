import type { MerchantContext } from "../../context.ts";
import { getEndpoint } from "../endpoints/read-endpoints.ts";
import { countMissed } from "./count-missed.ts";
import type { Reach, ResendRequest } from "./missed.ts";
import type { Resent } from "./resend-since.ts";

/** What a request has not sent. */
interface Left {
  /** Where the next request goes on: up to this sequence nothing is left to send. */
  lastSequence: number;
  /** 0 only where nothing is left. */
  left: number;
  /** Otherwise `left` is the least number, or 1 where none was found so far. */
  isExact: boolean;
}

/** Counts what a request has left to send, as `countMissed` does. The request has sent something, so this waits however many wait. Throws RESOURCE_NOT_FOUND. */
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
