import { sql } from "#db/client.ts";
import type { LaneKey } from "./find-due.ts";

/** A worker that dies is followed by another after this at the latest, and the sweep's turn. */
export const LEASE_MS = 15_000;

/** Takes, or keeps, an endpoint for a worker. False while another has it. */
export async function takeLease(workerId: string, { merchantId, endpointId }: LaneKey): Promise<boolean> {
  const rows = await sql()`
    update webhook_endpoints set leased_by = ${workerId}, leased_until = now() + ${LEASE_MS} * interval '1 ms'
    where merchant_id = ${merchantId} and id = ${endpointId} and (leased_by = ${workerId} or leased_until is null or leased_until <= now())
    returning 1`;
  return rows.length > 0;
}

export async function giveBackLease(workerId: string, { merchantId, endpointId }: LaneKey): Promise<void> {
  await sql()`
    update webhook_endpoints set leased_by = null, leased_until = null
    where merchant_id = ${merchantId} and id = ${endpointId} and leased_by = ${workerId}`;
}
