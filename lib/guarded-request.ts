import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import { Agent, request } from "undici";
import { isLoopback, isPublic } from "./public-address.ts";
import { toWebAddress } from "./web-address.ts";

/** Which addresses of other parties are allowed. */
export interface OutboundPolicy {
  /** Allows https on port 443 alone. */
  strict: boolean;
  /** Also allows http and this machine, for development. Never together with `strict`. */
  allowLoopback: boolean;
}

/** Thrown for an address that is not allowed. The message tells the reason to the party that gave the address. */
export class AddressRefused extends Error {
  override name = "AddressRefused";
}

type Resolve = (hostname: string) => Promise<string[]>;

const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_URL_CHARACTERS = 2_048;
/** Node's default of 250 ms gives up on an address when one packet is lost. */
const NEXT_ADDRESS_AFTER_MS = 2_500;
const CONNECT_WITHIN_MS = 15_000;

// This resolver uses c-ares. With getaddrinfo, a name server that hangs would block the thread pool of all lookups.
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

async function resolveByDns(hostname: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  if (found.length === 0 && failures.every(isOurFault)) throw failures[0];
  return found;
}

/** Codes for a lack of sockets, ports or a name server on this machine. They do not show whether the other side works. */
const OUR_FAULTS = new Set(["EMFILE", "ENFILE", "EADDRNOTAVAIL", "ENOBUFS", "DNS_ECONNREFUSED"]);

/** Returns whether a request failed because this machine lacked a resource, so that it is not counted against the other side. */
export function isOurFault(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isOurFault);
  if (!(error instanceof Error)) return false;
  const { code, syscall, address } = error as NodeJS.ErrnoException & { address?: string };
  // A machine without IPv6 can never reach an IPv6 address, so this is not a temporary lack.
  if (code === "EADDRNOTAVAIL" && address?.includes(":")) return false;
  return OUR_FAULTS.has(syscall?.startsWith("query") ? `DNS_${code}` : String(code));
}

const isLocalName = (hostname: string) => /^(?:[^.]+\.)*localhost\.?$/i.test(hostname);

/** Returns the URL if the policy allows it as written. Throws `AddressRefused`. Names are checked again when they are resolved. */
export function checkUrl(text: string, policy: OutboundPolicy): URL {
  if (text.length > MAX_URL_CHARACTERS) throw new AddressRefused(`Send at most ${MAX_URL_CHARACTERS} characters.`);
  const url = toWebAddress(text);
  if (!url) throw new AddressRefused("Send a whole address, like https://shop.example/webhooks.");
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

/** Returns the addresses of a name. Throws `AddressRefused` unless all are allowed. The connection uses these addresses and no others. */
async function resolveAllowed(hostname: string, policy: OutboundPolicy, resolve: Resolve): Promise<string[]> {
  const addresses = isLocalName(hostname) ? ["127.0.0.1", "::1"] : await resolve(hostname);
  // The message is the same for an unknown name and for a private address: a difference would tell strangers which private names exist.
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
  /** At most the first 16 KB. */
  body: Buffer;
  /** The error that ended the body early, or null. */
  brokenBy: unknown;
}

interface Post {
  headers: Record<string, string>;
  body: Buffer;
  /** Time for the whole exchange: name, connection, headers and body. */
  deadlineMs: number;
}

export interface Exchange {
  /** Resolves when the request was sent or has failed. Never rejects. */
  sent: Promise<void>;
  /** Rejects with `AddressRefused`, or with the error that prevented the answer. */
  answer: Promise<GuardedAnswer>;
}

/**
 * Posts to addresses of other parties. Each connection goes to an address that was resolved once and checked. Follows no redirects, has
 * one deadline for everything, and reads at most 16 KB of an answer.
 */
export class GuardedClient {
  readonly #policy: OutboundPolicy;
  readonly #agent: Agent;

  constructor(policy: OutboundPolicy, resolve: Resolve = resolveByDns) {
    if (policy.strict && policy.allowLoopback) throw new RangeError("a strict policy allows no loopback");
    this.#policy = policy;
    this.#agent = new Agent({
      connect: { lookup: pinnedLookup(policy, resolve), timeout: CONNECT_WITHIN_MS },
      // An HTTP/2 session that died unnoticed would be used again, and merchants on the same host would share a session.
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
    // undici obeys the signal only once it is connected. Without this race, a silent name server, port or handshake would never end.
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
    // Rejects one tick later, so that an answer that the signal cut short wins the race: it has more information.
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
      // Leaving the loop ends the connection, so the rest is not read.
      if (size >= MAX_ANSWER_BYTES) break;
    }
  } catch (error) {
    brokenBy = signal.aborted ? signal.reason : error;
  }
  return { body: Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES), brokenBy };
}
