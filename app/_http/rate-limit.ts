import { LRUCache } from "lru-cache";
import { settings } from "#lib/env.ts";
import { networkOf } from "#lib/peer.ts";
import { Problem } from "#lib/problem.ts";
import { modeOfPublicKey } from "#services/merchants/index.ts";

interface Bucket {
  tokens: number;
  refilledAtMs: number;
}

export interface Limit {
  perSecond: number;
  burst: number;
}

type Buckets = LRUCache<string, Bucket>;

const merchants: Buckets = new LRUCache({ max: 50_000 });
/** Apart from merchants: whoever has many addresses may push out each other's buckets, not theirs. */
const failures: Buckets = new LRUCache({ max: 50_000 });
/** Of requests that need no credentials. */
const visits: Buckets = new LRUCache({ max: 50_000 });
/** Thirty failures at once, then one each two seconds, from one source. */
const FAILURES: Limit = { perSecond: 0.5, burst: 30 };

function newBucket(buckets: Buckets, key: string, tokens: number, refilledAtMs: number): Bucket {
  const bucket = { tokens, refilledAtMs };
  buckets.set(key, bucket);
  return bucket;
}

/**
 * A token bucket per key in this process. Each process enforces its share of the limit, so that all of them together keep to it
 * without asking each other. Returns how many tokens are left, or a negative number when none is left.
 */
function take(buckets: Buckets, key: string, { perSecond, burst }: Limit, tokens: number, nowMs: number): number {
  const bucket = buckets.get(key) ?? newBucket(buckets, key, burst, nowMs);
  bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.refilledAtMs) / 1000) * perSecond);
  bucket.refilledAtMs = nowMs;
  if (bucket.tokens < tokens) return bucket.tokens - tokens;
  bucket.tokens -= tokens;
  return bucket.tokens;
}

/** Returns a limit's part for this process, with whole bursts of at least one. */
function shareOf({ perSecond, burst }: Limit): Limit {
  const processes = settings().WEB_CONCURRENCY;
  return { perSecond: perSecond / processes, burst: Math.max(1, burst / processes) };
}

/** Counts a request of a merchant. Returns the headers that say where it stands; throws RATE_LIMITED. */
export function countRequest(merchantId: string, whole: Limit, nowMs = performance.now()): Record<string, string> {
  const share = shareOf(whole);
  const left = take(merchants, merchantId, share, 1, nowMs);
  const waitSeconds = Math.max(1, Math.ceil(-left / share.perSecond));
  const headers = {
    "RateLimit-Policy": `"merchant";q=${whole.burst};w=${Math.ceil(whole.burst / whole.perSecond)}`,
    RateLimit: `"merchant";r=${Math.max(0, Math.floor(left * settings().WEB_CONCURRENCY))};t=${left < 0 ? waitSeconds : 1}`,
  };
  if (left >= 0) return headers;
  throw new Problem("RATE_LIMITED", `Too many requests. Wait ${waitSeconds} s, then send it again.`, {
    headers: { ...headers, "Retry-After": String(waitSeconds) },
  });
}

/** One link is opened by one payer and a few who help: their devices ask a few times a second at most. */
const VISITS_OF_A_LINK: Limit = { perSecond: 50, burst: 300 };
const BURST_OF_VISITS = 2;

/**
 * Counts a request that needs no credentials, by its address; one that costs more than a page counts as several. Returns how many seconds
 * it must wait; 0 where it may go on.
 */
export function countVisit(address: string, pages = 1, nowMs = performance.now()): number {
  const perSecond = settings().PUBLIC_REQUESTS_PER_SECOND;
  const limit = { perSecond, burst: BURST_OF_VISITS * perSecond };
  return secondsOver(`address:${networkOf(address)}`, limit, Math.min(pages, shareOf(limit).burst), nowMs);
}

/** Counts a request for one payment link from one address. Returns how many seconds it must wait; 0 where it may go on. */
export function countVisitOfLink(reference: string, address: string, nowMs = performance.now()): number {
  return secondsOver(`link:${networkOf(address)}:${reference.slice(0, 40)}`, VISITS_OF_A_LINK, 1, nowMs);
}

function secondsOver(key: string, whole: Limit, tokens: number, nowMs: number): number {
  const share = shareOf(whole);
  const left = take(visits, key, share, tokens, nowMs);
  return left >= 0 ? 0 : Math.max(1, Math.ceil(-left / share.perSecond));
}

/** What strangers get wrong. Each kind is counted for itself, by the address or by the public key that it came from. */
type Failure = "credentials" | "references";

/** Returns how many seconds a source that has failed too often of late must wait; 0 for any other. */
export function secondsToWait(kind: Failure, source: string, nowMs = performance.now()): number {
  const key = failuresKey(kind, source);
  if (!failures.has(key)) return 0;
  const left = take(failures, key, FAILURES, 0, nowMs);
  return left >= 1 ? 0 : Math.ceil((1 - left) / FAILURES.perSecond);
}

export function countFailure(kind: Failure, source: string, nowMs = performance.now()): void {
  take(failures, failuresKey(kind, source), FAILURES, 1, nowMs);
}

/**
 * Counts credentials that were refused, by their address and by the public key that they name. Throws RATE_LIMITED once either has
 * failed too often. Only failures are ever refused here: a correct key is not, whatever its neighbours or its guessers do.
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
