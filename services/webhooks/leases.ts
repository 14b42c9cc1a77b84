import { sql } from "#db/client.ts";
import type { LaneKey } from "./find-due.ts";

/** A worker that dies is followed by another after this at the latest, and the sweep's turn. */
export const LEASE_MS = 15_000;

/** Takes an endpoint for a worker, or keeps it. False while another has it. */
export async function takeLease(workerId: string, { merchantId, endpointId }: LaneKey): Promise<boolean> {
  const rows = await sql()`
    update webhook_endpoints set leased_by = ${workerId}, leased_until = now() + ${LEASE_MS} * interval '1 ms'
    where merchant_id = ${merchantId} and id = ${endpointId} and (leased_by = ${workerId} or leased_until is null or leased_until <= now())
    returning 1`;
  return rows.length > 0;
}

/** Prolongs the leases of a worker in one statement. Answers the endpoints that it has kept. */
export async function prolongLeases(workerId: string, lanes: LaneKey[]): Promise<Set<string>> {
  const rows = await sql()<{ id: string }[]>`
    update webhook_endpoints e set leased_until = now() + ${LEASE_MS} * interval '1 ms'
    from unnest(${lanes.map(({ merchantId }) => merchantId)}::text[], ${lanes.map(({ endpointId }) => endpointId)}::text[]) mine (merchant_id, id)
    where e.merchant_id = mine.merchant_id and e.id = mine.id and e.leased_by = ${workerId} and e.leased_until > now()
    returning e.id`;
  return new Set(rows.map(({ id }) => id));
}

export async function giveBackLease(workerId: string, { merchantId, endpointId }: LaneKey): Promise<void> {
  await sql()`
    update webhook_endpoints set leased_by = null, leased_until = null
    where merchant_id = ${merchantId} and id = ${endpointId} and leased_by = ${workerId}`;
}
