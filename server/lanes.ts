import { hash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { LRUCache } from "lru-cache";
import { cookieIn } from "#lib/cookies.ts";
import { isOfPeople } from "#lib/faces.ts";
import { clientAddress, networkOf } from "#lib/peer.ts";
import { FairQueue } from "./fair-queue.ts";

const HOUR_MS = 3_600_000;
const SALT = randomUUID();
/** Hashes of key pairs and session cookies with which this process accepted a request in the last hour. */
const accepted = new LRUCache<string, true>({ max: 10_000, ttl: HOUR_MS });
/** The API's wrapper sets this response header only for requests with valid credentials. */
const ACCEPTED_HEADER = "ratelimit-policy";
/** Providers and our own sandbox sign what they send, and some of their answers take seconds on purpose. */
const SIGNED = /^\/(?:sandbox\/[\w-]+\/[\w-]+|api\/providers\/)/;

/** Four active requests keep both the database and this process busy. 256 requests wait less than a second. */
const STRANGERS = { maxActive: 4, maxWaiting: 256 };
/** Valid credentials that are new to this process wait with invalid ones. The limit is high, so that they are not refused. */
const WITH_CREDENTIALS = { maxActive: 4, maxWaiting: 8_192 };
const SIGNERS = { maxActive: 64, maxWaiting: 1_024 };

const queue = new FairQueue();

interface Presented {
  lane: "keyed" | "session";
  /** A salted hash: the credentials themselves would stay in memory for an hour. */
  digest: string;
}

/** Returns the key pair or the session cookie that a request presents. */
function credentialsOf({ headers }: IncomingMessage): Presented | undefined {
  const { "x-api-key": publicKey, "x-api-secret": secretKey, cookie = "" } = headers;
  if (publicKey && secretKey) return { lane: "keyed", digest: digestOf(`${publicKey}:${secretKey}`) };
  const session = cookieIn(cookie, "session");
  return session === undefined ? undefined : { lane: "session", digest: digestOf(session) };
}

const digestOf = (credentials: string) => hash("sha256", `${SALT}${credentials}`);

/** Returns the client's address, or that of a proxy that is not trusted. */
function addressOfClient({ headers, socket }: IncomingMessage, trustedProxies: BlockList): string {
  const forwardedFor = headers["x-forwarded-for"];
  return clientAddress(socket.remoteAddress ?? "unknown", forwardedFor === undefined ? null : String(forwardedFor), trustedProxies);
}

/**
 * Calls `handle` at once for credentials that were accepted before. Otherwise calls it when the lane of the client's network has room.
 * Returns false if too many requests wait in that lane.
 */
export function enterLane(request: IncomingMessage, response: ServerResponse, trustedProxies: BlockList, handle: () => void): boolean {
  const presented = credentialsOf(request);
  const digest = presented?.digest;
  if (digest !== undefined) response.once("finish", () => remember(digest, response));
  if (digest !== undefined && accepted.has(digest)) {
    handle();
    return true;
  }
  const isSigned = SIGNED.test(request.url ?? "");
  // The answers of some forms wait on purpose, and must not hold up the payers of the same network.
  const isForm = request.method === "POST" && isOfPeople(request.url ?? "");
  const kind = isSigned ? "signed" : isForm ? "form" : (presented?.lane ?? "");
  const lane = `${networkOf(addressOfClient(request, trustedProxies))} ${kind}`;
  if (digest !== undefined) {
    response.once("finish", () => {
      if (accepted.has(digest)) queue.release(lane, digest);
    });
  }
  const start = () => {
    if (response.closed) {
      queue.leave(lane);
      return;
    }
    response.once("close", () => queue.leave(lane));
    handle();
  };
  return queue.enter(lane, isSigned ? SIGNERS : presented ? WITH_CREDENTIALS : STRANGERS, start, digest);
}

/** Remembers credentials that an answer accepts, and forgets those that it refuses: a session that has ended waits like a stranger. */
function remember(digest: string, response: ServerResponse): void {
  if (response.hasHeader(ACCEPTED_HEADER)) accepted.set(digest, true);
  // A page leads to signing in where the API answers 401.
  else if (response.statusCode === 401 || response.statusCode === 307) accepted.delete(digest);
}

/** Returns whom the pages of a request are counted for: a session that was accepted before, otherwise the client's address. */
export function visitorOf(request: IncomingMessage, trustedProxies: BlockList): string {
  const digest = credentialsOf(request)?.digest;
  return digest !== undefined && accepted.has(digest) ? `session ${digest}` : addressOfClient(request, trustedProxies);
}
