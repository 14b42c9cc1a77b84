import { LRUCache } from "lru-cache";
import { settings } from "#lib/env.ts";
import { networkOf } from "#lib/peer.ts";
import { Problem } from "#lib/problem.ts";
import { shared } from "#lib/shared.ts";
import { modeOfPublicKey } from "#services/api-keys/index.ts";

interface Bucket {
  tokens: number;
  refilledAtMs: number;
}

export interface Limit {
  perSecond: number;
  burst: number;
}

/** The limit of a merchant's keys, of one session of a member, or of a business's logos, files or questions for names of accounts. */
export interface RequestLimit extends Limit {
  name: "merchant" | "session" | "logos" | "uploads" | "names";
  /** The id of the merchant or the session, or the limit's name with the id of the business. */
  key: string;
}

type Buckets = LRUCache<string, Bucket>;

const newBuckets = (): Buckets => new LRUCache({ max: 50_000 });

/**
 * `callers`: of merchants, sessions and businesses; ids have prefixes, so no two kinds share a bucket. `failures`: separate, so that a client of many
 * addresses cannot push callers' buckets out of the cache. `visits`: for requests that need no credentials.
 */
const { callers, failures, visits } = shared("rate-limits", () => ({
  callers: newBuckets(),
  failures: newBuckets(),
  visits: newBuckets(),
}));
/** Per source and process: thirty failures at once, then one every two seconds. */
const MAX_FAILURES: Limit = { perSecond: 0.5, burst: 30 };

function newBucket(buckets: Buckets, key: string, tokens: number, refilledAtMs: number): Bucket {
  const bucket = { tokens, refilledAtMs };
  buckets.set(key, bucket);
  return bucket;
}

/**
 * Takes tokens from the key's bucket in this process. Returns how many are left. With too few tokens, takes none and returns the missing
 * number as a negative one.
 */
function take(buckets: Buckets, key: string, { perSecond, burst }: Limit, tokens: number, nowMs: number): number {
  const bucket = buckets.get(key) ?? newBucket(buckets, key, burst, nowMs);
  bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.refilledAtMs) / 1000) * perSecond);
  bucket.refilledAtMs = nowMs;
  if (bucket.tokens < tokens) return bucket.tokens - tokens;
  bucket.tokens -= tokens;
  return bucket.tokens;
}

/**
 * Returns this process's share of a limit, with a burst of at least 1. All processes together keep to the limit without asking each other.
 */
function shareOf({ perSecond, burst }: Limit): Limit {
  const processes = settings().WEB_CONCURRENCY;
  return { perSecond: perSecond / processes, burst: Math.max(1, burst / processes) };
}

/** Counts a request with credentials. Returns the RateLimit headers. Throws RATE_LIMITED. */
export function countRequest({ name, key, ...whole }: RequestLimit, nowMs = performance.now()): Record<string, string> {
  // A browser reuses its connections, so one process gets most requests of a person. A share of the limit would refuse normal use.
  const isOfPages = name !== "merchant";
  const processes = isOfPages ? 1 : settings().WEB_CONCURRENCY;
  const share = isOfPages ? whole : shareOf(whole);
  const left = take(callers, key, share, 1, nowMs);
  const waitSeconds = Math.max(1, Math.ceil(-left / share.perSecond));
  const headers = {
    "RateLimit-Policy": `"${name}";q=${whole.burst};w=${Math.ceil(whole.burst / whole.perSecond)}`,
    RateLimit: `"${name}";r=${Math.max(0, Math.floor(left * processes))};t=${left < 0 ? waitSeconds : 1}`,
  };
  if (left >= 0) return headers;
  throw new Problem("RATE_LIMITED", `Too many requests. Wait ${waitSeconds} s, then send it again.`, {
    headers: { ...headers, "Retry-After": String(waitSeconds) },
  });
}

/** One browser: twenty requests a second, sixty at once. */
export const SESSION_RATE: Limit = { perSecond: 20, burst: 60 };

/** Counts a page that a session opens as several of its requests. Returns the seconds to wait, or 0 if the page may be opened. */
export function countPageOfSession(sessionId: string, requests: number, nowMs = performance.now()): number {
  const left = take(callers, sessionId, SESSION_RATE, requests, nowMs);
  return left >= 0 ? 0 : Math.max(1, Math.ceil(-left / SESSION_RATE.perSecond));
}

/** One payer and a few helpers open a link. Their devices send a few requests a second at most. */
const MAX_VISITS_OF_LINK: Limit = { perSecond: 50, burst: 300 };
/** A burst is at most the visits of this many seconds. */
const MAX_BURST_S = 2;

/**
 * Counts a request without credentials by its address. A request that costs more than a page counts as several. Returns the seconds
 * to wait, or 0 if the request may proceed.
 */
export function countVisit(address: string, pages = 1, nowMs = performance.now()): number {
  const perSecond = settings().PUBLIC_REQUESTS_PER_SECOND;
  const limit = { perSecond, burst: MAX_BURST_S * perSecond };
  return secondsOver(`address:${networkOf(address)}`, limit, Math.min(pages, shareOf(limit).burst), nowMs);
}

/** Counts a request for one payment link from one address. Returns the seconds to wait, or 0 if the request may proceed. */
export function countVisitOfLink(reference: string, address: string, nowMs = performance.now()): number {
  return secondsOver(`link:${networkOf(address)}:${reference.slice(0, 40)}`, MAX_VISITS_OF_LINK, 1, nowMs);
}

function secondsOver(key: string, whole: Limit, tokens: number, nowMs: number): number {
  const share = shareOf(whole);
  const left = take(visits, key, share, tokens, nowMs);
  return left >= 0 ? 0 : Math.max(1, Math.ceil(-left / share.perSecond));
}

/** Wrong credentials, or unknown references of payment links. Each kind is counted separately, by address or by public key. */
type Failure = "credentials" | "references";

/** Returns the seconds that a source must wait after too many recent failures, or 0. */
export function secondsToWait(kind: Failure, source: string, nowMs = performance.now()): number {
  const key = failuresKey(kind, source);
  if (!failures.has(key)) return 0;
  const left = take(failures, key, MAX_FAILURES, 0, nowMs);
  return left >= 1 ? 0 : Math.ceil((1 - left) / MAX_FAILURES.perSecond);
}

export function countFailure(kind: Failure, source: string, nowMs = performance.now()): void {
  take(failures, failuresKey(kind, source), MAX_FAILURES, 1, nowMs);
}

/**
 * Counts refused credentials by their address and by their public key. Throws RATE_LIMITED once either has failed too often. Callers count
 * refused credentials only, so a correct key always works, whatever others try from its address or with its public key.
 */
export function countBadCredentials({ address, publicKey }: { address: string; publicKey: string | null }): void {
  const sources = publicKey !== null && modeOfPublicKey(publicKey) ? [address, publicKey] : [address];
  const waitSeconds = Math.max(...sources.map((source) => secondsToWait("credentials", source)));
  for (const source of sources) countFailure("credentials", source);
  if (waitSeconds === 0) return;
  throw new Problem("RATE_LIMITED", `Too many requests with wrong credentials. Correct them, or wait ${waitSeconds} s.`, {
    headers: { "Retry-After": String(waitSeconds) },
  });
}

const failuresKey = (kind: Failure, source: string) => `${kind}:${networkOf(source)}`;
