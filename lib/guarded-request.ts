import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import { Agent, request } from "undici";
import { isLoopback, isPublic } from "./public-address.ts";

/** What an address that somebody else gave us may be. */
export interface OutboundPolicy {
  /** Anything but https on port 443 is refused. */
  strict: boolean;
  /** http, and this machine itself, are allowed too: for development. Never together with `strict`. */
  allowLoopback: boolean;
}

/** We do not call there. The message says why, for the one who gave the address. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

type Resolve = (hostname: string) => Promise<string[]>;

const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_URL = 2_048;
/** Node's own 250 ms give up on an address when one packet is lost. */
const NEXT_ADDRESS_AFTER_MS = 2_500;
const CONNECT_WITHIN_MS = 15_000;

// c-ares, not getaddrinfo: a name server that hangs holds up its own lookups and not the thread pool that all would share.
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

async function resolveByDns(hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  if (found.length === 0 && failures.every(isOurFault)) throw failures[0];
  return found;
}

/** We have no sockets, ports or name server left: says nothing about who was called. */
const OUR_FAULTS = new Set(["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS", "DNS_ECONNREFUSED"]);

export function isOurFault(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOurFault);
  if (!(error instanceof Error)) return false;
  const { code, syscall, address } = error as NodeJS.ErrnoException & { address?: string };
  // Without IPv6 here there is no way to an address of it, and never will be.
  if (code === "EADDRNOTAVAIL" && address?.includes(":")) return false;
  return OUR_FAULTS.has(syscall?.startsWith("query") ? `DNS_${code}` : String(code));
}

const isLocalName = (hostname: string) => /^(?:[^.]+\.)*localhost\.?$/i.test(hostname);

/** The URL, where the policy allows it as it is written. Throws `AddressRefused`. Names are checked again when they are resolved. */
export function checkUrl(text: string, policy: OutboundPolicy): URL {
  if (text.length > MAX_URL) throw new AddressRefused(`Send at most ${MAX_URL} characters.`);
  if (!URL.canParse(text)) throw new AddressRefused("Send a whole address, like https://shop.example/webhooks.");
  const url = new URL(text);
  const schemes = policy.allowLoopback ? ["https:", "http:"] : ["https:"];
  if (!schemes.includes(url.protocol)) throw new AddressRefused("Send an https address.");
  if (url.username || url.password) throw new AddressRefused("Send an address without a user name or password.");
  if (url.hash) throw new AddressRefused("Send an address without a fragment (#…).");
  if (policy.strict && url.port !== "") throw new AddressRefused("Live mode calls port 443 only. Send an address without a port.");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host) !== 0) refuseUnlessAllowed(host, policy);
  else if (isLocalName(host) && !policy.allowLoopback) throw new AddressRefused("Send an address on the public internet.");
  return url;
}

function refuseUnlessAllowed(address: string, policy: OutboundPolicy): void {
  if (!isAllowed(address, policy)) throw new AddressRefused("Send an address on the public internet.");
}

const isAllowed = (address: string, { allowLoopback }: OutboundPolicy) => isPublic(address) || (allowLoopback && isLoopback(address));

/** Resolves a name to addresses that may all be called, so that the connection goes to what was checked and to nothing else. */
async function resolveAllowed(hostname: string, policy: OutboundPolicy, resolve: Resolve): Promise<string[]> {
  const addresses = isLocalName(hostname) ? ["127.0.0.1", "::1"] : await resolve(hostname);
  // One word for a name that does not exist and for one of our own network: the difference would tell strangers which names are there.
  if (addresses.length === 0 || !addresses.every((address) => isAllowed(address, policy)))
    throw new AddressRefused("The name of this address does not lead to the public internet.");
  return addresses;
}

function pinnedLookup(policy: OutboundPolicy, resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolveAllowed(hostname, policy, resolve).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (options.all) done(null, found);
        else done(null, first?.address ?? "", first?.family);
      },
      (error: Error) => done(error, ""),
    );
  };
}

export interface GuardedAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** The first 16 KB, or what came of them. */
  body: Buffer;
  /** Why the body ended before its end. */
  brokenBy: unknown;
}

interface Post {
  headers: Record<string, string>;
  body: Buffer;
  /** For the whole exchange: name, connection, headers and body. */
  deadlineMs: number;
}

export interface Exchange {
  /** Settles when the request is on the wire, or has failed before. Never rejects. */
  sent: Promise<void>;
  /** Rejects with `AddressRefused`, or with whatever kept the answer from coming. */
  answer: Promise<GuardedAnswer>;
}

/**
 * Posts to addresses that somebody else gave us. Each connection goes to an address that was resolved once and checked; redirects are
 * not followed; one deadline covers everything; of an answer 16 KB are read.
 */
export class GuardedClient {
  readonly #policy: OutboundPolicy;
  readonly #agent: Agent;

  constructor(policy: OutboundPolicy, resolve: Resolve = resolveByDns) {
    if (policy.strict && policy.allowLoopback) throw new RangeError("a strict policy allows no loopback");
    this.#policy = policy;
    this.#agent = new Agent({
      connect: { lookup: pinnedLookup(policy, resolve), timeout: CONNECT_WITHIN_MS },
      // An HTTP/2 session that died in silence would be used again and again, and would join strangers who share a host.
      allowH2: false,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    });
  }

  post(address: string, { headers, body, deadlineMs }: Post, stopped?: AbortSignal): Exchange {
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = stopped ? AbortSignal.any([deadline, stopped]) : deadline;
    const content = Readable.from([body], { objectMode: false });
    const written = new Promise<void>((done) => content.once("end", done).once("close", done));
    const exchange = this.#exchange(address, { headers: { ...headers, "content-length": String(body.length) }, content, signal });
    // undici hears of the signal once it is connected: a name server, a port or a handshake that says nothing would never end.
    const answer = Promise.race([exchange, rejectionOf(signal)]);
    const ended = answer.then(
      () => undefined,
      () => undefined,
    );
    return { sent: Promise.race([written, ended]), answer };
  }

  async #exchange(
    address: string,
    { headers, content, signal }: { headers: Record<string, string>; content: Readable; signal: AbortSignal },
  ): Promise<GuardedAnswer> {
    const url = checkUrl(address, this.#policy);
    const reply = await request(url, {
      method: "POST",
      headers,
      body: content,
      signal,
      dispatcher: this.#agent,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { status: reply.statusCode, headers: reply.headers, ...(await firstBytes(reply.body, signal)) };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_done, fail) => {
    // Later than the answer that a signal also ends, which knows more.
    const end = () => setImmediate(() => fail(signal.reason));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

async function firstBytes(body: Readable, signal: AbortSignal): Promise<Pick<GuardedAnswer, "body" | "brokenBy">> {
  const chunks: Buffer[] = [];
  let size = 0;
  let brokenBy: unknown = null;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop ends the connection: what more there is, nobody reads.
      if (size >= MAX_ANSWER_BYTES) break;
    }
  } catch (error) {
    brokenBy = signal.aborted ? signal.reason : error;
  }
  return { body: Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES), brokenBy };
}
