import { sql } from "#db/client.ts";
import { networkOf, siteOf } from "#lib/peer.ts";
import { keyedHash } from "#lib/secrets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";

/** The number of failures without a wait, and how long failures are counted. After these, each failure doubles the wait. */
interface Rule {
  free: number;
  forgottenAfterMs: number;
}

const MAX_WAIT_MS = 15 * MINUTE_MS;
const FIRST_WAIT_MS = 2 * SECOND_MS;
const OF_ACCOUNT: Rule = { free: 5, forgottenAfterMs: DAY_MS };
/** A network has more free failures, because an office shares one address. */
const OF_NETWORK: Rule = { free: 30, forgottenAfterMs: HOUR_MS };
/** A site has still more: one machine may have all networks of an IPv6 site, but so may many customers of a provider. */
const OF_SITE: Rule = { free: 300, forgottenAfterMs: HOUR_MS };
/** A browser that has signed in to this account before. Others cannot lock it out; after these it counts as a stranger. */
const OF_DEVICE: Rule = { free: 10, forgottenAfterMs: DAY_MS };

/** The requests that a network may send without a proof. Each one counts, and none is subtracted again. */
const REQUESTS = {
  sign_up: { free: 10, forgottenAfterMs: HOUR_MS },
  reset: { free: 20, forgottenAfterMs: HOUR_MS },
} satisfies Record<string, Rule>;

const sourceOf = (kind: "account" | "network" | "site" | "device" | keyof typeof REQUESTS, name: string) =>
  keyedHash("sign-in-failures", `${kind}:${name}`);

/** An attempt to prove who somebody is: the account and the origin. */
export interface Try {
  /** The email as it was given, in lower case: unknown emails count as known ones do. */
  email: string;
  /** The address of the request. With null, an Error is thrown, because the attempt cannot be counted. */
  address: string | null;
  /** The hash of a device that has signed in to this account before. */
  device: string | null;
}

/** An allowed attempt. It counts as failed until a function of it is called, so that parallel attempts get no more than sequential ones. */
export interface AllowedAttempt {
  status: "allowed";
  /** The proof was complete. Deletes the failures of the account or the device, and subtracts this one from its network and site. */
  succeed: () => Promise<void>;
  /**
   * Subtracts this failure only: the proof was not checked, or it was right and another one is needed, such as a code after the
   * password. So a thief of a password gets no new attempts at codes by repeating it.
   */
  uncount: () => Promise<void>;
}

export interface Wait {
  status: "wait";
  waitSeconds: number;
}

export type Attempt = AllowedAttempt | (Omit<Wait, "status"> & { status: "blocked" });

/**
 * Counts a try before its proof is looked at. Returns `blocked` with the seconds to wait if there were too many failures: of the device if
 * it is known, otherwise of the account, the network or the site. A wait is at most 15 minutes. Throws an Error without an address.
 */
export async function attempt({ email, address, device }: Try): Promise<Attempt> {
  if (device !== null) {
    const own = sourceOf("device", `${email}:${device}`);
    if ((await count(own, OF_DEVICE, { onlyFree: true })) === 0) return allowed([own], []);
  }
  const { network, site } = placesOf(address);
  const places = [{ source: sourceOf("network", network), rule: OF_NETWORK }];
  if (site !== null) places.push({ source: sourceOf("site", site), rule: OF_SITE });
  const accounts = [{ source: sourceOf("account", email), rule: OF_ACCOUNT }];
  for (const { source, rule } of [...places, ...accounts]) {
    const waitMs = await count(source, rule);
    if (waitMs > 0) return { status: "blocked", waitSeconds: Math.ceil(waitMs / 1000) };
  }
  const sourcesOf = (counted: typeof places) => counted.map(({ source }) => source);
  return allowed(sourcesOf(accounts), sourcesOf(places));
}

/** Counts a request of a network. Returns the seconds to wait if there were too many. Throws an Error without an address. */
export async function countRequest(kind: keyof typeof REQUESTS, address: string | null): Promise<Wait | undefined> {
  const waitMs = await count(sourceOf(kind, placesOf(address).network), REQUESTS[kind]);
  return waitMs > 0 ? { status: "wait", waitSeconds: Math.ceil(waitMs / 1000) } : undefined;
}

/** Forgets the failures of an account. Its devices keep theirs. */
export const forgetFailures = async (email: string): Promise<void> => {
  await sql()`delete from sign_in_failures where source = ${sourceOf("account", email)}`;
};

/** Throws an Error for null, because all people without an address would be counted as one. */
function placesOf(address: string | null): { network: string; site: string | null } {
  if (address === null) throw new Error("an attempt must have an address");
  return { network: networkOf(address), site: siteOf(address) };
}

const allowed = (own: string[], shared: string[]): AllowedAttempt => ({
  status: "allowed",
  succeed: async () => {
    for (const source of own) await sql()`delete from sign_in_failures where source = ${source}`;
    // Subtracts only this failure, so that a person with an own account cannot clear the count of their network by signing in.
    await takeBack(shared);
  },
  uncount: () => takeBack([...own, ...shared]),
});

/** Subtracts one failure from each source. MERGE decides by the row's latest state, so that parallel calls subtract exactly as many. */
async function takeBack(sources: string[]): Promise<void> {
  for (const source of sources) {
    await sql()`
      merge into sign_in_failures f using (select ${source}::text as source) given on f.source = given.source
      when matched and f.failures = 1 then delete
      when matched then update set failures = f.failures - 1, blocked_until = 'epoch'`;
  }
}

/**
 * Counts one failure of a source unless the source is blocked. Returns 0, or the milliseconds for which it is blocked. With `onlyFree`, a
 * source without free tries left is blocked, and nothing is counted. A free try leaves the end of the last wait as it is: `now()` is the time at
 * which a statement began, so of two parallel ones the later would block the earlier. Times are stored in rounded milliseconds, so one that
 * was just written may be up to half a millisecond ahead of the clock.
 */
async function count(source: string, { free, forgottenAfterMs }: Rule, { onlyFree = false } = {}): Promise<number> {
  const [counted] = await sql()`
    insert into sign_in_failures as f (source, failures, blocked_until) values (${source}, 1, 'epoch')
    on conflict (source) do update set
      failures = case when f.last_failed_at < now() - ${forgottenAfterMs} * interval '1 ms' then 1 else f.failures + 1 end,
      last_failed_at = now(),
      blocked_until = case
        when f.last_failed_at < now() - ${forgottenAfterMs} * interval '1 ms' or f.failures < ${free} then f.blocked_until
        else now() + least(${MAX_WAIT_MS}::float8, ${FIRST_WAIT_MS} * power(2, least(f.failures - ${free}, 20))) * interval '1 ms' end
    where f.blocked_until <= now() + interval '1 ms' and (not ${onlyFree} or f.failures < ${free} or f.last_failed_at < now() - ${forgottenAfterMs} * interval '1 ms')
    returning source`;
  if (counted) return 0;
  const [row] = await sql()<{ wait_ms: number }[]>`
    select greatest(1, extract(epoch from blocked_until - now()) * 1000)::float8 as wait_ms from sign_in_failures where source = ${source}`;
  return row?.wait_ms ?? FIRST_WAIT_MS;
}
