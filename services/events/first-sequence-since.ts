import { sql } from "#db/client.ts";
import { firstSince } from "#lib/first-since.ts";
import { lastSequenceOf } from "./last-sequence.ts";

/**
 * Events have the time at which their transaction began, so times may go back within the sequence. Assumes that no transaction takes
 * longer.
 */
const MAX_OUT_OF_ORDER_MS = 60_000;

/**
 * Returns a sequence at or before a merchant's first event since a time: 1 where no event is older. Searches by sequences, because
 * events are indexed by sequence only: a second index would make every write slower.
 */
export async function firstSequenceSince(merchantId: string, since: Date): Promise<bigint> {
  return firstSince(
    new Date(since.getTime() - MAX_OUT_OF_ORDER_MS),
    await lastSequenceOf(merchantId),
    (sequences) => sql()`
      select sequence as number, created_at from events where merchant_id = ${merchantId} and sequence = any(${sequences.map(String)}::text[]::bigint[])`,
  );
}
