import { sql } from "#db/client.ts";

/** Returns the sequence of a merchant's last event: 0 where it has none. */
export async function lastSequenceOf(merchantId: string): Promise<bigint> {
  const [counter] = await sql()<{ last_sequence: bigint }[]>`select last_sequence from event_counters where merchant_id = ${merchantId}`;
  return counter?.last_sequence ?? 0n;
}
