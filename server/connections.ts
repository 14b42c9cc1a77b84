import type { BlockList, Socket } from "node:net";
import { isListed, networkOf } from "#lib/peer.ts";

/** A process never needs more connections at once, also behind a proxy. */
const MAX_TOTAL = 4_096;
/** A mobile carrier puts hundreds of phones behind one address. */
const MAX_PER_NETWORK = 512;
/** A network gets at most one connection in this many, so that it leaves room for other networks. */
const NETWORK_SHARE_DIVISOR = 4;
/** Descriptors for everything else that the process opens: database, providers, files, its own calls to the sandbox. */
const RESERVED_DESCRIPTORS = 128;

/**
 * Unanswered requests of one connection. Node goes on reading while it answers, so a client that pipelines could start thousands at
 * once. Browsers and HTTP libraries send one.
 */
const MAX_UNANSWERED = 16;

export interface Limits {
  maxTotal: number;
  maxPerNetwork: number;
}

/** Returns the connection limits of a process that may open `descriptors` files. */
export function limitsFor(descriptors: number): Limits {
  const maxTotal = Math.max(16, Math.min(MAX_TOTAL, descriptors - RESERVED_DESCRIPTORS));
  return { maxTotal, maxPerNetwork: Math.min(MAX_PER_NETWORK, Math.floor(maxTotal / NETWORK_SHARE_DIVISOR)) };
}

/** Returns how many files this process may open. Node raises the soft limit to the hard one when it starts. */
export function openFilesLimit(): number {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: number | "unlimited" } } } | undefined;
  const soft = report?.userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : Number.POSITIVE_INFINITY;
}

const REFUSAL = [
  "HTTP/1.1 503 Service Unavailable",
  "Connection: close",
  "Retry-After: 5",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Too many connections are open. Close some, or wait.",
].join("\r\n");

/**
 * Counts the connections of a process, in total and by network (an IPv4 address, or 64 bits of IPv6). Trusted proxies count in the total
 * only. When the process is full, the network with the most connections loses one that waits for no answer.
 */
export class Connections {
  readonly #limits: Limits;
  readonly #trustedProxies: BlockList;
  readonly #networks = new Map<string, Set<Socket>>();
  readonly #unanswered = new WeakMap<Socket, number>();
  #total = 0;

  constructor(limits: Limits, trustedProxies: BlockList) {
    this.#limits = limits;
    this.#trustedProxies = trustedProxies;
  }

  /** Accepts a new connection, or answers 503 and ends it. Returns whether the connection was accepted. */
  take(socket: Socket): boolean {
    const address = socket.remoteAddress ?? "unknown";
    const network = isListed(address, this.#trustedProxies) ? undefined : networkOf(address);
    const siblings = (network && this.#networks.get(network)) || new Set<Socket>();
    const isFull = this.#total >= this.#limits.maxTotal;
    if (siblings.size >= this.#limits.maxPerNetwork || (isFull && !this.#makeRoom(siblings.size))) {
      socket.end(REFUSAL, () => socket.destroy());
      return false;
    }
    this.#total++;
    if (network !== undefined) this.#networks.set(network, siblings.add(socket));
    socket.once("close", () => this.#release(socket, network));
    return true;
  }

  /**
   * Ends the oldest connection that waits for no answer, in the network with the most connections. Ends none where that network would
   * not keep more than `newcomerSize`, the connections of the network that asks for room. Returns whether a connection was ended.
   */
  #makeRoom(newcomerSize: number): boolean {
    const [largest] = [...this.#networks.values()].toSorted((a, b) => b.size - a.size);
    if (!largest || largest.size <= newcomerSize + 1) return false;
    for (const socket of largest) {
      if (this.isAnswering(socket)) continue;
      socket.destroy();
      return true;
    }
    return false;
  }

  #release(socket: Socket, network: string | undefined): void {
    this.#total--;
    const siblings = network === undefined ? undefined : this.#networks.get(network);
    if (network === undefined || !siblings?.delete(socket)) return;
    if (siblings.size === 0) this.#networks.delete(network);
  }

  /** Counts an unanswered request. Returns how to serve it: `refusal` for the first one above the limit, `nothing` for those after it. */
  begin(socket: Socket): "answer" | "refusal" | "nothing" {
    const waiting = (this.#unanswered.get(socket) ?? 0) + 1;
    this.#unanswered.set(socket, waiting);
    if (waiting <= MAX_UNANSWERED) return "answer";
    return waiting === MAX_UNANSWERED + 1 ? "refusal" : "nothing";
  }

  /** Stops counting a request that was answered, or whose client has gone. */
  end(socket: Socket): void {
    this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1);
  }

  isAnswering(socket: Socket): boolean {
    return (this.#unanswered.get(socket) ?? 0) > 0;
  }
}
