import pMap from "p-map";
import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
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
 * Extends leases of a worker, in one statement for each merchant. Returns the ids of the endpoints whose leases it extended. An endpoint whose row
 * is locked is skipped until the next time, so that it does not delay the others. An expired lease is extended too, unless another worker
 * has taken it.
 */
export async function extendLeases(workerId: string, lanes: LaneKey[]): Promise<Set<string>> {
  const prolonged = await ofEachMerchant(
    lanes,
    (merchantId, endpointIds) => sql()<{ id: string }[]>`
    update webhook_endpoints e set leased_until = now() + ${LEASE_MS} * interval '1 ms'
    from (${unlockedOf(workerId, merchantId, endpointIds)}) mine where e.merchant_id = ${merchantId} and e.id = mine.id
    returning e.id`,
  );
  return new Set(prolonged.map(({ id }) => id));
}

/** Releases leases of a worker, in one statement for each merchant. A lease whose row is locked is skipped and expires by itself. */
export async function releaseLeases(workerId: string, lanes: LaneKey[]): Promise<void> {
  await ofEachMerchant(
    lanes,
    (merchantId, endpointIds) => sql()`
    update webhook_endpoints e set leased_by = null, leased_until = null
    from (${unlockedOf(workerId, merchantId, endpointIds)}) mine where e.merchant_id = ${merchantId} and e.id = mine.id`,
  );
}

const MAX_AT_ONCE = 4;

/** Runs a change for each merchant. One that fails is logged and does not stop the others. Its leases expire. */
async function ofEachMerchant<T>(lanes: LaneKey[], run: (merchantId: string, endpointIds: string[]) => PromiseLike<T[]>): Promise<T[]> {
  const merchants = [...Map.groupBy(lanes, ({ merchantId }) => merchantId)];
  const runOne = async ([merchantId, own]: (typeof merchants)[number]): Promise<T[]> => {
    try {
      const endpointIds = own.map(({ endpointId }) => endpointId);
      return await run(merchantId, endpointIds);
    } catch (error) {
      log().warn({ merchantId, err: error }, "leases of a merchant's endpoints could not be changed");
      return [];
    }
  };
  return (await pMap(merchants, runOne, { concurrency: MAX_AT_ONCE })).flat();
}

const unlockedOf = (workerId: string, merchantId: string, endpointIds: string[]) => sql()`
  select id from webhook_endpoints
  where merchant_id = ${merchantId} and id = any(${endpointIds}::text[]) and leased_by = ${workerId} for update skip locked`;
