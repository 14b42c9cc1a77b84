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

/**
 * Prolongs leases of a worker in one statement, and answers those that it has prolonged. One whose row somebody holds is left for the
 * next time: it must not keep the others waiting. Whose name is on the row has the lease, also when its time is over: nobody took it.
 */
export async function prolongLeases(workerId: string, lanes: LaneKey[]): Promise<Set<string>> {
  const rows = await sql()<{ id: string }[]>`
    update webhook_endpoints e set leased_until = now() + ${LEASE_MS} * interval '1 ms'
    from (${rowsOf(workerId, lanes)}) mine where e.merchant_id = mine.merchant_id and e.id = mine.id
    returning e.id`;
  return new Set(rows.map(({ id }) => id));
}

/** Gives leases of a worker back in one statement. One whose row somebody holds ends by itself. */
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
