import { sql } from "#db/client.ts";

/** A transaction may be open for so long, and an event bears the time at which its transaction began. */
const MAX_OUT_OF_ORDER_MS = 60_000;

/**
 * A sequence at or before the first event of a merchant since a time: 1 when there is none before it. Found by halving, since events
 * have an index by sequence and no other: each event that is written would pay for a second one.
 */
export async function firstSequenceSince(merchantId: string, since: Date): Promise<bigint> {
  const from = since.getTime() - MAX_OUT_OF_ORDER_MS;
  const [counter] = await sql()<{ last_sequence: bigint }[]>`select last_sequence from event_counters where merchant_id = ${merchantId}`;
  let [low, high] = [1n, (counter?.last_sequence ?? 0n) + 1n];
  while (low < high) {
    const middle = (low + high) / 2n;
    const [event] = await sql()<{ created_at: string }[]>`
      select created_at from events where merchant_id = ${merchantId} and sequence = ${middle}`;
    if (event && new Date(event.created_at).getTime() < from) low = middle + 1n;
    else high = middle;
  }
  return low;
}
