import { hash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { LRUCache } from "lru-cache";
import { clientAddress, networkOf } from "#lib/peer.ts";
import { FairQueue } from "./fair-queue.ts";

const HOUR_MS = 3_600_000;
const SALT = randomUUID();
/** Hashes of key pairs with which this process accepted a request in the last hour. */
const acceptedPairs = new LRUCache<string, true>({ max: 10_000, ttl: HOUR_MS });
/** The API's wrapper sets this response header only for requests with valid credentials. */
const ACCEPTED_HEADER = "ratelimit-policy";
/** Providers and our own sandbox sign what they send, and some of their answers take seconds on purpose. */
const SIGNED = /^\/(?:sandbox\/[\w-]+\/[\w-]+|api\/providers\/)/;

/** Four active requests keep both the database and this process busy. 256 requests wait less than a second. */
const STRANGERS = { maxActive: 4, maxWaiting: 256 };
/** A valid pair that is new to this process waits with invalid pairs. The limit is high, so that it is not refused. */
const KEYED = { maxActive: 4, maxWaiting: 8_192 };
const SIGNERS = { maxActive: 64, maxWaiting: 1_024 };

const queue = new FairQueue();

/** Returns a salted hash of the request's key pair. The pair itself would stay in memory for an hour. */
function pairOf({ headers }: IncomingMessage): string | undefined {
  const { "x-api-key": publicKey, "x-api-secret": secretKey } = headers;
  return publicKey && secretKey ? hash("sha256", `${SALT}${publicKey}:${secretKey}`) : undefined;
}

function networkOfClient({ headers, socket }: IncomingMessage, trustedProxies: BlockList): string {
  const forwardedFor = headers["x-forwarded-for"];
  const address = clientAddress(
    socket.remoteAddress ?? "unknown",
    forwardedFor === undefined ? null : String(forwardedFor),
    trustedProxies,
  );
  return networkOf(address);
}

/**
 * Calls `handle` at once for a key pair that was accepted before. Otherwise calls it when the lane of the client's network has room.
 * Returns false if too many requests wait in that lane.
 */
export function enterLane(request: IncomingMessage, response: ServerResponse, trustedProxies: BlockList, handle: () => void): boolean {
  const pair = pairOf(request);
  if (pair !== undefined && acceptedPairs.has(pair)) {
    handle();
    return true;
  }
  const isSigned = SIGNED.test(request.url ?? "");
  const lane = `${networkOfClient(request, trustedProxies)} ${isSigned ? "signed" : pair ? "keyed" : ""}`;
  if (pair !== undefined) {
    response.once("finish", () => {
      if (!response.hasHeader(ACCEPTED_HEADER)) return;
      acceptedPairs.set(pair, true);
      queue.release(lane, pair);
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
  return queue.enter(lane, isSigned ? SIGNERS : pair ? KEYED : STRANGERS, start, pair);
}
