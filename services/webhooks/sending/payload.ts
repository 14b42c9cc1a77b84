import { sql } from "#db/client.ts";
import { type Delivery, TEST_EVENT } from "../delivery.ts";

interface Content {
  eventType: string;
  sequence: bigint;
  /** The event's data as JSON text; null for a test event. */
  data: string | null;
  occurredAt: Date;
}

const TEST_DATA = JSON.stringify({ message: "This is a test event. It is in no feed." });

/** Returns the body of a delivery: the same bytes for each attempt. */
export function toPayload({ eventType, sequence, data, occurredAt }: Content): string {
  // The data is spliced in as text, so that its fields keep the order in which the API presents them.
  const head = JSON.stringify({ type: eventType, timestamp: occurredAt.toISOString(), sequence: Number(sequence) });
  return `${head.slice(0, -1)},"data":${data ?? TEST_DATA}}`;
}

/** Reads the event of a delivery and returns the body that is sent. Throws an Error if the event does not exist. */
export async function payloadOf({ merchantId, eventType, sequence, createdAt }: Delivery): Promise<string> {
  if (eventType === TEST_EVENT) return toPayload({ eventType, sequence, data: null, occurredAt: createdAt });
  const [event] = await sql()<{ data: string; created_at: string }[]>`
    select data::text as data, created_at from events where merchant_id = ${merchantId} and sequence = ${sequence}`;
  if (!event) throw new Error(`no event ${sequence} of ${merchantId}`);
  return toPayload({ eventType, sequence, data: event.data, occurredAt: new Date(event.created_at) });
}
