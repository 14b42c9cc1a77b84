import { sql } from "#db/client.ts";
import { inBatches } from "#db/in-batches.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { Problem } from "#lib/problem.ts";
import { processId } from "#lib/process-id.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import { nowOrLater } from "./now-or-later.ts";

/** An Idempotency-Key, and the request that uses it. */
export interface Claim {
  merchantId: string;
  /** Method and path. */
  scope: string;
  key: string;
  bodyHash: string;
}

/**
 * The right to run the request of a claim. `lockedUntil` is its fencing token: once another attempt takes the key over, the lease is
 * superseded.
 */
export interface Lease extends Claim {
  lockedUntil: string;
}

export type ClaimOutcome =
  /** `isExecuted`: an earlier attempt has done all of its work in one transaction (`markExecuted`), and its answer was lost. */
  | { status: "run"; resourceId: string; resumed: boolean; isExecuted: boolean; lease: Lease }
  /** An earlier attempt has answered the request. */
  | { status: "replay"; resourceId: string; httpStatus: number };

interface Row {
  resource_id: string;
  locked_until: string;
  executed_at: string | null;
}

/** Longer than any request may take. After it another attempt may take over the key of a process that died. */
const LEASE_MS = 60_000;
const KEPT_FOR_DAYS = 30;

/**
 * Claims a key: returns a lease on a new key, on one whose outcome is unknown or on one whose lease has run out; returns the replay of an
 * answered one. Throws IDEMPOTENCY_KEY_REUSED where the body differs, and REQUEST_IN_PROGRESS while another attempt runs.
 */
export async function claimKey(claim: Claim, newResourceId: () => string): Promise<ClaimOutcome> {
  const { merchantId, scope, key, bodyHash } = claim;
  const leaseEnds = sql()`now() + ${LEASE_MS} * interval '1 ms'`;
  const run = ({ resource_id: resourceId, locked_until: lockedUntil, executed_at: executedAt }: Row, resumed: boolean) =>
    ({ status: "run", resourceId, resumed, isExecuted: executedAt !== null, lease: { ...claim, lockedUntil } }) as const;
  const resourceId = newResourceId();
  const [made] = await sql()<Row[]>`
    insert into idempotency_keys (merchant_id, scope, key, body_hash, resource_id, locked_until, process_id)
    values (${merchantId}, ${scope}, ${key}, ${bodyHash}, ${resourceId}, ${leaseEnds}, ${processId()})
    on conflict (merchant_id, scope, key) do nothing returning resource_id, locked_until, executed_at`.catch(async (error) => {
    await nowOrLater(() => deleteUnconfirmed(claim, resourceId), LEASE_MS);
    throw error;
  });
  if (made) return run(made, false);
  const [taken] = await sql()<Row[]>`
    update idempotency_keys set state = 'running', locked_until = ${leaseEnds}, process_id = ${processId()}
    where merchant_id = ${merchantId} and scope = ${scope} and key = ${key} and body_hash = ${bodyHash}
      and (state = 'unknown' or (state = 'running' and locked_until <= now()))
    returning resource_id, locked_until, executed_at`;
  return taken ? run(taken, true) : outcomeOfEarlier(claim);
}

/** Deletes a claim that was stored without an answer to this process, so no request runs under it. Keeps one that another attempt took. */
const deleteUnconfirmed = ({ merchantId, scope, key }: Claim, resourceId: string) => sql()`
  delete from idempotency_keys
  where merchant_id = ${merchantId} and scope = ${scope} and key = ${key} and resource_id = ${resourceId} and state = 'running'
    and locked_until - created_at < ${1.5 * LEASE_MS} * interval '1 ms'`;

async function outcomeOfEarlier({ merchantId, scope, key, bodyHash }: Claim): Promise<ClaimOutcome> {
  const [known] = await sql()<{ body_hash: string; state: string; resource_id: string; status: number | null }[]>`
    select body_hash, state, resource_id, status from idempotency_keys where merchant_id = ${merchantId} and scope = ${scope} and key = ${key}`;
  if (known && known.body_hash !== bodyHash) {
    throw new Problem("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used with another body. Send a new key for a new request.");
  }
  if (known?.state === "done" && known.status !== null) {
    return { status: "replay", resourceId: known.resource_id, httpStatus: known.status };
  }
  // The key is running, or was released since the claim failed: either way a retry succeeds shortly.
  throw new Problem("REQUEST_IN_PROGRESS", "The first request with this Idempotency-Key is still running. Ask again in a moment.", {
    outcome: "unknown",
    headers: { "Retry-After": "1" },
  });
}

// Compares the fencing token as well, so that a superseded request changes nothing.
const leased = ({ merchantId, scope, key, lockedUntil }: Lease) => sql()`
  merchant_id = ${merchantId} and scope = ${scope} and key = ${key} and state = 'running' and locked_until = ${lockedUntil}::text::timestamptz`;

/**
 * Records that the request has made its resource. A replay presents the resource from now on. Returns false for a superseded request: the try
 * that superseded it answers, and may have replaced a secret that this one has.
 */
export async function recordAnswer(lease: Lease, httpStatus: number): Promise<boolean> {
  const { count } = await sql()`update idempotency_keys set state = 'done', status = ${httpStatus} where ${leased(lease)}`;
  return count > 0;
}

/**
 * Deletes the claim of a request that executed nothing, so that the key may be used again. (One that is marked as executed stays.) If the database does not answer, this process does it
 * later: it alone knows that the request has ended, and retries would wait until the lease runs out.
 */
export const releaseClaim = (lease: Lease): Promise<void> =>
  nowOrLater(async () => {
    await sql()`delete from idempotency_keys where ${leased(lease)} and executed_at is null`;
    await sql()`update idempotency_keys set state = 'unknown' where ${leased(lease)}`;
  }, LEASE_MS);

/** Records that the request's outcome is unknown, now or later. A retry with the key finishes the request. */
export const recordUnknown = (lease: Lease): Promise<void> =>
  nowOrLater(() => sql()`update idempotency_keys set state = 'unknown' where ${leased(lease)}`, LEASE_MS);

/**
 * Ends the leases of web processes that have died: a retry with such a key finishes the request. What a dead process has sent may still be executed,
 * by the database or by a provider, as after any lost answer. Finds the keys that were first used in the last two minutes; other leases run out.
 */
export const endLeasesOf = verb(
  { actor: ["system"] },
  (_ctx: SystemContext, processIds: readonly string[]): Promise<void> =>
    nowOrLater(async () => {
      const isTheirs = sql()`state = 'running' and process_id = any(${[...processIds]}::text[])`;
      const keys = await sql()<{ merchant_id: string; scope: string; key: string }[]>`
      select merchant_id, scope, key from idempotency_keys where created_at > now() - ${2 * LEASE_MS} * interval '1 ms' and ${isTheirs}`;
      // One by one: a statement of a dead process may have locked several of these keys, and wait for another.
      await forEachAtOnce(keys, async ({ merchant_id, scope, key }) => {
        await sql()`update idempotency_keys set state = 'unknown' where merchant_id = ${merchant_id} and scope = ${scope} and key = ${key} and ${isTheirs}`;
      });
    }, LEASE_MS),
);

/** Deletes keys older than 30 days, except those of running requests. Returns how many. */
export const purgeOldIdempotencyKeys = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  return inBatches(
    (share) => sql()`
      delete /* of all merchants */ from idempotency_keys k using (
        select merchant_id, scope, key from idempotency_keys
        where created_at < now() - ${KEPT_FOR_DAYS} * interval '1 day' and (state <> 'running' or locked_until <= now()) order by created_at limit ${share}
      ) old
      where k.merchant_id = old.merchant_id and k.scope = old.scope and k.key = old.key`,
  );
});
