import { LRUCache } from "lru-cache";
import { settings } from "#lib/env.ts";
import { networkOf } from "#lib/peer.ts";
import { Problem } from "#lib/problem.ts";

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
/** Failures before anybody is known: thirty at once, then one each two seconds, from one address. */
const FAILURES: Limit = { perSecond: 0.5, burst: 30 };
const ANYWAY: Limit = { perSecond: 5, burst: 10 };

function newBucket(buckets: Buckets, key: string, tokens: number, refilledAtMs: number): Bucket {
  const bucket = { tokens, refilledAtMs };
  buckets.set(key, bucket);
  return bucket;
}

/**
 * A token bucket per key in this process. Each process enforces its share of the limit, so that all of them together keep to it
 * without asking each other. Answers the tokens that are left, negative when there is none.
 */
function take(buckets: Buckets, key: string, { perSecond, burst }: Limit, tokens: number, nowMs: number): number {
  const bucket = buckets.get(key) ?? newBucket(buckets, key, burst, nowMs);
  bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.refilledAtMs) / 1000) * perSecond);
  bucket.refilledAtMs = nowMs;
  if (bucket.tokens < tokens) return bucket.tokens - tokens;
  bucket.tokens -= tokens;
  return bucket.tokens;
}

/** Counts a request of a merchant. Answers the headers that say where it stands; throws RATE_LIMITED. */
export function countRequest(merchantId: string, whole: Limit, nowMs = performance.now()): Record<string, string> {
  const processes = settings().WEB_CONCURRENCY;
  const share = { perSecond: whole.perSecond / processes, burst: Math.max(1, whole.burst / processes) };
  const left = take(merchants, merchantId, share, 1, nowMs);
  const waitSeconds = Math.max(1, Math.ceil(-left / share.perSecond));
  const headers = {
    "RateLimit-Policy": `"merchant";q=${whole.burst};w=${Math.ceil(whole.burst / whole.perSecond)}`,
    RateLimit: `"merchant";r=${Math.max(0, Math.floor(left * processes))};t=${left < 0 ? waitSeconds : 1}`,
  };
  if (left >= 0) return headers;
  throw new Problem("RATE_LIMITED", `Too many requests. Wait ${waitSeconds} s, then send it again.`, {
    headers: { ...headers, "Retry-After": String(waitSeconds) },
  });
}

/** What an address has got wrong: each kind is counted for itself. */
type Failure = "credentials" | "references";

/** How long an address must wait that has failed too often of late; 0 for any other. */
export function secondsToWait(kind: Failure, address: string, nowMs = performance.now()): number {
  const key = failuresKey(kind, address);
  if (!failures.has(key)) return 0;
  const left = take(failures, key, FAILURES, 0, nowMs);
  return left >= 1 ? 0 : Math.ceil((1 - left) / FAILURES.perSecond);
}

/** Throws RATE_LIMITED for an address that has sent bad credentials too often of late. */
export function refuseTroublesomeAddress(address: string): void {
  const waitSeconds = secondsToWait("credentials", address);
  if (waitSeconds === 0) return;
  throw new Problem("RATE_LIMITED", `Too many failed requests from this address. Wait ${waitSeconds} s.`, {
    headers: { "Retry-After": String(waitSeconds) },
  });
}

export function countFailure(kind: Failure, address: string, nowMs = performance.now()): void {
  take(failures, failuresKey(kind, address), FAILURES, 1, nowMs);
}

/** One more try for an address that has failed too often: some, because others may stand behind it. */
export function mayTryAnyway(kind: Failure, address: string, nowMs = performance.now()): boolean {
  return take(failures, anywayKey(kind, address), ANYWAY, 1, nowMs) >= 0;
}

/** The try was no failure: whoever else stands behind that address may have it. */
export function giveBackTry(kind: Failure, address: string, nowMs = performance.now()): void {
  take(failures, anywayKey(kind, address), ANYWAY, -1, nowMs);
}

const failuresKey = (kind: Failure, address: string) => `${kind}:${networkOf(address)}`;
const anywayKey = (kind: Failure, address: string) => `${kind}-anyway:${networkOf(address)}`;
