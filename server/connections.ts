import type { BlockList, Socket } from "node:net";
import { isListed, networkOf } from "#lib/peer.ts";

/** More than any process of ours needs at once, also behind a proxy. */
const MAX_TOTAL = 4_096;
/** A mobile carrier puts hundreds of phones behind one address. */
const MAX_PER_NETWORK = 512;
/** No single network gets more than this share, so that one of them leaves room for the others. */
const SHARE_OF_ONE_NETWORK = 4;
/** What the process opens beside its clients' connections: database, providers, files, its own calls to the sandbox. */
const RESERVED_DESCRIPTORS = 128;

/**
 * Requests that a connection may have waiting for their answers. Node reads on while it answers, so a client that pipelines could
 * start thousands at once. Browsers and HTTP libraries send one.
 */
const MAX_UNANSWERED = 16;

export interface Limits {
  total: number;
  perNetwork: number;
}

/** Returns how many connections a process may hold that may open `descriptors` files. */
export function limitsFor(descriptors: number): Limits {
  const total = Math.max(16, Math.min(MAX_TOTAL, descriptors - RESERVED_DESCRIPTORS));
  return { total, perNetwork: Math.min(MAX_PER_NETWORK, Math.floor(total / SHARE_OF_ONE_NETWORK)) };
}

/** Returns how many files this process may open. Node has raised the soft limit to the hard one when it started. */
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
 * Counts the connections of a process, in all and by network (an IPv4 address, or 64 bits of IPv6). Trusted proxies count in all only.
 * When the process is full, the network with the most gives way with one that waits for no answer.
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

  /** Takes a new connection, or ends it with a 503. Returns whether it was taken. */
  take(socket: Socket): boolean {
    const address = socket.remoteAddress ?? "unknown";
    const network = isListed(address, this.#trustedProxies) ? undefined : networkOf(address);
    const siblings = (network && this.#networks.get(network)) || new Set<Socket>();
    const isFull = this.#total >= this.#limits.total;
    if (siblings.size >= this.#limits.perNetwork || (isFull && !this.#makeRoom(siblings.size))) {
      socket.end(REFUSAL, () => socket.destroy());
      return false;
    }
    this.#total++;
    if (network !== undefined) this.#networks.set(network, siblings.add(socket));
    socket.once("close", () => this.#release(socket, network));
    return true;
  }

  /** Ends the longest-held connection that waits for no answer, of the network with the most, if that has more than `others`. */
  #makeRoom(others: number): boolean {
    const [largest] = [...this.#networks.values()].toSorted((a, b) => b.size - a.size);
    if (!largest || largest.size <= others + 1) return false;
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

  /** Counts a request that waits for its answer. Returns what is due to it: its answer, a refusal, or nothing where one was refused before. */
  begin(socket: Socket): "answer" | "refusal" | "nothing" {
    const waiting = (this.#unanswered.get(socket) ?? 0) + 1;
    this.#unanswered.set(socket, waiting);
    if (waiting <= MAX_UNANSWERED) return "answer";
    return waiting === MAX_UNANSWERED + 1 ? "refusal" : "nothing";
  }

  /** The request was answered, or its client has gone. */
  end(socket: Socket): void {
    this.#unanswered.set(socket, (this.#unanswered.get(socket) ?? 1) - 1);
  }

  isAnswering(socket: Socket): boolean {
    return (this.#unanswered.get(socket) ?? 0) > 0;
  }
}
