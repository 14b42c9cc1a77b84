import { sql } from "#db/client.ts";
import { networkOf, siteOf } from "#lib/peer.ts";
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
/** One machine may have all networks of an IPv6 site. So may many customers of a provider, so a site has still more. */
const OF_SITE: Rule = { free: 300, forgottenAfterMs: HOUR_MS };
/** A browser that has signed in to this account before. Others cannot lock it out; after these it counts as a stranger. */
const OF_DEVICE: Rule = { free: 10, forgottenAfterMs: DAY_MS };

/** What a network may ask for without a proof. Each time counts, and none is taken back. */
const REQUESTS = {
  sign_up: { free: 10, forgottenAfterMs: HOUR_MS },
  reset: { free: 20, forgottenAfterMs: HOUR_MS },
} satisfies Record<string, Rule>;

const sourceOf = (kind: "account" | "network" | "site" | "device" | keyof typeof REQUESTS, name: string) =>
  keyedHash("sign-in-failures", `${kind}:${name}`);

/** The proof that somebody tries to give: of which account, from where. */
export interface Try {
  /** The email as it was given, in lower case: unknown emails count as known ones do. */
  email: string;
  /** Null has no network to be counted by: an Error. */
  address: string | null;
  /** The hash of a device that has signed in to this account before. */
  device: string | null;
}

/** A try that may be made. It counts as failed until one of its functions is called, so that many at once get no more tries than one after the other. */
export interface AllowedTry {
  status: "allowed";
  /** The proof was whole: forgets the failures of the account or the device, and takes this one back from its network and site. */
  succeed: () => Promise<void>;
  /**
   * Takes this one failure back, and earlier ones stay: the proof was not looked at, or it was right and another one is due, as a code after the
   * password. So a thief of a password gets no new tries at codes by repeating it.
   */
  giveBack: () => Promise<void>;
}

export interface Wait {
  status: "wait";
  waitSeconds: number;
}

export type Attempt = AllowedTry | (Omit<Wait, "status"> & { status: "blocked" });

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

/** Throws an Error for null: people without an address would all be counted as one. */
function placesOf(address: string | null): { network: string; site: string | null } {
  if (address === null) throw new Error("a try must have an address");
  return { network: networkOf(address), site: siteOf(address) };
}

const allowed = (own: string[], shared: string[]): AllowedTry => ({
  status: "allowed",
  succeed: async () => {
    for (const source of own) await sql()`delete from sign_in_failures where source = ${source}`;
    // Who has an account of his own cannot clear the count of his network with it.
    await takeBack(shared);
  },
  giveBack: () => takeBack([...own, ...shared]),
});

/** Takes one failure back from each source. MERGE chooses by the row as others have left it, so that many at once take back as many. */
async function takeBack(sources: string[]): Promise<void> {
  for (const source of sources) {
    await sql()`
      merge into sign_in_failures f using (select ${source}::text as source) given on f.source = given.source
      when matched and f.failures = 1 then delete
      when matched then update set failures = f.failures - 1, blocked_until = 'epoch'`;
  }
}

/**
 * Counts one failure of a source unless the source is blocked. Returns 0, or the milliseconds for which it is blocked. With `onlyFree` a
 * source without free tries left is blocked, and nothing is counted. A free try leaves the end of the last wait as it is: `now()` is the time at
 * which a statement began, so of two at once the later one would block the earlier one. Times are stored in rounded milliseconds, so one that
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
