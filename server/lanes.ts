import { hash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { LRUCache } from "lru-cache";
import { clientAddress, networkOf } from "#lib/peer.ts";
import { FairQueue } from "./fair-queue.ts";

const HOUR_MS = 3_600_000;
const SALT = randomUUID();
/** Pairs of keys that a request of this process was let in with. */
const proven = new LRUCache<string, true>({ max: 10_000, ttl: HOUR_MS });
/** The wrapper of the API sets it for requests whose credentials are right, and for no other. */
const LET_IN = "ratelimit-policy";
/** Providers and our own sandbox sign what they send, and some of their answers take seconds on purpose. */
const SIGNED = /^\/(?:sandbox\/[\w-]+\/[\w-]+|api\/providers\/)/;

/** Four at once keep the database busy while another is computed. 256 wait less than a second. */
const STRANGERS = { atOnce: 4, waiting: 256 };
/** A good pair that this process has not met yet waits with the wrong ones, and is not refused. */
const KEYED = { atOnce: 4, waiting: 8_192 };
const SIGNERS = { atOnce: 64, waiting: 1_024 };

const queue = new FairQueue();

/** Never the pair itself: it would stand in memory for an hour. */
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
 * Calls `handle` at once for a pair of keys that was right before, and otherwise when the network of the client has few other requests
 * under way. Returns false where too many of them wait already.
 */
export function inTurn(request: IncomingMessage, response: ServerResponse, trustedProxies: BlockList, handle: () => void): boolean {
  const pair = pairOf(request);
  if (pair !== undefined && proven.has(pair)) {
    handle();
    return true;
  }
  const isSigned = SIGNED.test(request.url ?? "");
  const lane = `${networkOfClient(request, trustedProxies)} ${isSigned ? "signed" : pair ? "keyed" : ""}`;
  if (pair !== undefined) {
    response.once("finish", () => {
      if (!response.hasHeader(LET_IN)) return;
      proven.set(pair, true);
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
