import { sql } from "#db/client.ts";
import type { LaneKey } from "./find-due.ts";

/** When a worker dies, the first sweep after this time takes its endpoints over. */
export const LEASE_MS = 15_000;

/** Takes the lease on an endpoint for a worker, or renews it. Returns false while another worker owns it. */
export async function takeLease(workerId: string, { merchantId, endpointId }: LaneKey): Promise<boolean> {
  const rows = await sql()`
    update webhook_endpoints set leased_by = ${workerId}, leased_until = now() + ${LEASE_MS} * interval '1 ms'
    where merchant_id = ${merchantId} and id = ${endpointId} and (leased_by = ${workerId} or leased_until is null or leased_until <= now())
    returning 1`;
  return rows.length > 0;
}

/**
 * Prolongs leases of a worker in one statement. Returns the ids of the endpoints whose leases it prolonged. An endpoint whose row is locked
 * is skipped until the next time, so that it does not delay the others. A lease that has run out is prolonged too while no other worker
 * has taken it.
 */
export async function prolongLeases(workerId: string, lanes: LaneKey[]): Promise<Set<string>> {
  const rows = await sql()<{ id: string }[]>`
    update webhook_endpoints e set leased_until = now() + ${LEASE_MS} * interval '1 ms'
    from (${rowsOf(workerId, lanes)}) mine where e.merchant_id = mine.merchant_id and e.id = mine.id
    returning e.id`;
  return new Set(rows.map(({ id }) => id));
}

/** Gives leases of a worker back in one statement. A lease whose row is locked is skipped and runs out by itself. */
export async function giveBackLeases(workerId: string, lanes: LaneKey[]): Promise<void> {
  await sql()`
    update webhook_endpoints e set leased_by = null, leased_until = null
    from (${rowsOf(workerId, lanes)}) mine where e.merchant_id = mine.merchant_id and e.id = mine.id`;
}

const rowsOf = (workerId: string, lanes: LaneKey[]) => sql()`
  select w.merchant_id, w.id from webhook_endpoints w
  join unnest(${lanes.map(({ merchantId }) => merchantId)}::text[], ${lanes.map(({ endpointId }) => endpointId)}::text[]) lane (merchant_id, id)
    on w.merchant_id = lane.merchant_id and w.id = lane.id
  where w.leased_by = ${workerId} for update of w skip locked`;
