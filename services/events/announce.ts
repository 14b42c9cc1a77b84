import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";

/** The channel on which workers listen. Each message is `merchant/endpoint`. */
export const DELIVERIES_CHANNEL = "oja_deliveries";

const waiting = new Set<string>();
let announcing = false;

/**
 * Tells the workers that endpoints have deliveries. Call it after the commit: inside a transaction NOTIFY would make all commits wait for
 * each other. Those that arrive while one is sent go together with the next. A lost one only causes a delay: the next sweep finds the
 * deliveries.
 */
export function announceDeliveries(merchantId: string, endpointIds: readonly string[]): void {
  for (const endpointId of endpointIds) waiting.add(`${merchantId}/${endpointId}`);
  if (!announcing && waiting.size > 0) void announceAll();
}

async function announceAll(): Promise<void> {
  announcing = true;
  try {
    while (waiting.size > 0) {
      const lanes = [...waiting];
      waiting.clear();
      await sql()`select pg_notify(${DELIVERIES_CHANNEL}, lane) from unnest(${lanes}::text[]) lane`;
    }
  } catch (error) {
    log().warn({ err: error }, "deliveries could not be announced; the next sweep finds them");
  } finally {
    announcing = false;
  }
}
