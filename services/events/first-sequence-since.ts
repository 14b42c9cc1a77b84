import { sql } from "#db/client.ts";
import { firstFrom } from "#lib/first-from.ts";
import { lastSequenceOf } from "./last-sequence.ts";

/**
 * Events have the time at which their transaction began, so times may go back within the sequence. Assumes that no transaction takes
 * longer.
 */
const MAX_OUT_OF_ORDER_MS = 60_000;

/**
 * Returns a sequence at or before a merchant's first event since a time: 1 where no event is older. Uses a binary search, because events
 * are indexed by sequence only: a second index would make every write slower.
 */
export async function firstSequenceSince(merchantId: string, since: Date): Promise<bigint> {
  const from = since.getTime() - MAX_OUT_OF_ORDER_MS;
  return firstFrom(1n, (await lastSequenceOf(merchantId)) + 1n, async (sequence) => {
    const [event] = await sql()<{ created_at: string }[]>`
      select created_at from events where merchant_id = ${merchantId} and sequence = ${sequence}`;
    return !event || new Date(event.created_at).getTime() >= from;
  });
}
