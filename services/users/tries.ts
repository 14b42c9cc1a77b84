import { sql } from "#db/client.ts";
import { networkOf } from "#lib/peer.ts";
import { keyedHash } from "#lib/secrets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/** Failed tries that are free, and how long they are remembered. After them each failure doubles the wait. */
interface Rule {
  free: number;
  forgottenAfterMs: number;
}

const MAX_WAIT_MS = 15 * MINUTE_MS;
const FIRST_WAIT_MS = 2 * SECOND_MS;
const OF_ACCOUNT: Rule = { free: 5, forgottenAfterMs: DAY_MS };
/** An office shares an address, so a network has more. */
const OF_NETWORK: Rule = { free: 30, forgottenAfterMs: HOUR_MS };
/** A browser that has signed in to this account before. Others cannot lock it out; after these it counts as a stranger. */
const OF_DEVICE: Rule = { free: 10, forgottenAfterMs: DAY_MS };

const sourceOf = (kind: "account" | "network" | "device", name: string) => keyedHash("sign-in-failures", `${kind}:${name}`);

/** The proof that somebody tries to give: of which account, from where. */
export interface Try {
  /** The email as it was given, in lower case: unknown emails count as known ones do. */
  email: string;
  address: string;
  /** The hash of a device that has signed in to this account before. */
  device: string | null;
}

/** A try that may be made. It counts as failed until `succeed` is called, so that many at once get no more tries than one after the other. */
export type Attempt = { status: "allowed"; succeed: () => Promise<void> } | { status: "blocked"; waitSeconds: number };

/**
 * Counts a try before its proof is looked at. Returns `blocked` with the seconds to wait if there were too many failures: of the device if
 * it is known, otherwise of the account or of the network. A wait is at most 15 minutes.
 */
export async function attempt({ email, address, device }: Try): Promise<Attempt> {
  const account = sourceOf("account", email);
  if (device !== null) {
    const own = sourceOf("device", `${email}:${device}`);
    if ((await count(own, OF_DEVICE, { onlyFree: true })) === 0) return allowed([own], []);
  }
  const network = sourceOf("network", networkOf(address));
  const waitMs = (await count(network, OF_NETWORK)) || (await count(account, OF_ACCOUNT));
  return waitMs > 0 ? { status: "blocked", waitSeconds: Math.ceil(waitMs / 1000) } : allowed([account], [network]);
}

const allowed = (cleared: string[], lessened: string[]): Attempt => ({
  status: "allowed",
  succeed: async () => {
    for (const source of cleared) await sql()`delete from sign_in_failures where source = ${source}`;
    // Who has an account of his own cannot clear the count of his network with it.
    for (const source of lessened) {
      await sql()`delete from sign_in_failures where source = ${source} and failures = 1`;
      await sql()`update sign_in_failures set failures = failures - 1, blocked_until = now() where source = ${source} and failures > 1`;
    }
  },
});

/**
 * Counts one failure of a source unless the source is blocked. Returns 0, or the milliseconds for which it is blocked. With `onlyFree` a
 * source without free tries left is blocked, and nothing is counted. Times are stored in rounded milliseconds, so one that was just written may
 * be up to half a millisecond ahead of the clock.
 */
async function count(source: string, { free, forgottenAfterMs }: Rule, { onlyFree = false } = {}): Promise<number> {
  const [counted] = await sql()`
    insert into sign_in_failures as f (source, failures) values (${source}, 1)
    on conflict (source) do update set
      failures = case when f.last_failed_at < now() - ${forgottenAfterMs} * interval '1 ms' then 1 else f.failures + 1 end,
      last_failed_at = now(),
      blocked_until = now() + case
        when f.last_failed_at < now() - ${forgottenAfterMs} * interval '1 ms' or f.failures < ${free} then interval '0'
        else least(${MAX_WAIT_MS}::float8, ${FIRST_WAIT_MS} * power(2, least(f.failures - ${free}, 20))) * interval '1 ms' end
    where f.blocked_until <= now() + interval '1 ms' and (not ${onlyFree} or f.failures < ${free} or f.last_failed_at < now() - ${forgottenAfterMs} * interval '1 ms')
    returning source`;
  if (counted) return 0;
  const [row] = await sql()<{ wait_ms: number }[]>`
    select greatest(1, extract(epoch from blocked_until - now()) * 1000)::float8 as wait_ms from sign_in_failures where source = ${source}`;
  return row?.wait_ms ?? FIRST_WAIT_MS;
}
