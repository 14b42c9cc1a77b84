import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import pTimeout from "p-timeout";
import postgres from "postgres";
import { SECOND_MS } from "#lib/time.ts";
import { connectSocket } from "./wire/socket.ts";
import { type Watch, watch } from "./wire/watch.ts";

/** A server of PostgreSQL, as DATABASE_URL names it. */
export interface Host {
  host: string;
  port: number;
}

const DEFAULT_PORT = 5_432;
/** A single host gets more time, because there is no other one to try. */
const CONNECT_WITHIN_S = { oneHost: 10, severalHosts: 3 };
/** How long the other hosts may still answer after the first primary. A primary that was cut off may not know that it was replaced. */
const OTHERS_WITHIN_MS = 100;
const KNOWN_FOR_MS = 1_000;

/** Returns the hosts of a URL, which separates them by commas; none if PostgreSQL's own settings name the host. */
export function hostsOf(url: string): Host[] {
  const authority = /^\w+:\/\/(?:[^@/?]*@)?([^/?]*)/.exec(url)?.[1] ?? "";
  return authority
    .split(",")
    .filter(Boolean)
    .map((each) => {
      const [, inBrackets, name = "", port] = /^(?:\[(.+)\]|([^:]*))(?::(\d+))?$/.exec(each) ?? [];
      return { host: decodeURIComponent(inBrackets ?? name), port: Number(port ?? DEFAULT_PORT) };
    });
}

/** Returns a URL with one host in place of all. */
export const withHost = (url: string, { host, port }: Host): string =>
  url.replace(/^(\w+:\/\/(?:[^@/?]*@)?)[^/?]*/, (_, before: string) => `${before}${host.includes(":") ? `[${host}]` : host}:${port}`);

/** No host of DATABASE_URL is a primary that answers. */
export class NoPrimary extends Error {
  override name = "NoPrimary";
  readonly code = "CONNECT_NO_PRIMARY";
}

export interface Primary extends Host {
  /** Each promotion of a standby begins a timeline with the next number. */
  timeline: number;
}

/** Asks a server for its timeline. The answer is 0 from a standby. */
export const TIMELINE = `
  select case when pg_is_in_recovery() then 0 else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`;

/**
 * Asks all hosts of a URL at once which of them is the primary. Of two that say so, the latest promoted one is, because the other was cut off
 * and replaced. Throws `NoPrimary` if none answers within 3 s.
 */
export async function findPrimary(url: string): Promise<Primary> {
  const primaries: Primary[] = [];
  const answers = hostsOf(url).map(async (host) => {
    const timeline = await timelineOf(url, host);
    if (timeline === 0) throw new NoPrimary("it is a standby");
    primaries.push({ ...host, timeline });
  });
  const all = Promise.allSettled(answers);
  await Promise.any(answers).catch(() => undefined);
  await Promise.race([all, wait(OTHERS_WITHIN_MS)]);
  const latest = primaries.reduce<Primary | undefined>((best, each) => (best && best.timeline >= each.timeline ? best : each), undefined);
  if (!latest) throw new NoPrimary(`no host is a primary that answers (${await reasons(url, all)})`);
  return latest;
}

/** Returns why each host is not the primary, as text, once every host has answered or failed. */
async function reasons(url: string, all: Promise<PromiseSettledResult<void>[]>): Promise<string> {
  const failed = (await all).map((result) => (result.status === "rejected" ? (result.reason as NodeJS.ErrnoException) : undefined));
  const names = hostsOf(url).map(({ host, port }) => `${host}:${port}`);
  return names.map((name, n) => `${name}: ${failed[n]?.message || failed[n]?.code}`).join("; ");
}

async function timelineOf(url: string, host: Host): Promise<number> {
  const withinS = CONNECT_WITHIN_S.severalHosts;
  const client = open(
    withHost(url, host),
    {
      ...{ max: 1, fetch_types: false, prepare: false, connect_timeout: withinS, onnotice: () => {} },
      connection: { application_name: "oja-primary" },
    },
    { answerWithinMs: withinS * SECOND_MS },
  );
  // Awaited here, because p-timeout would call the `cancel` of a returned query, which opens one more connection.
  const ask = async () => (await client.unsafe<{ timeline: number }[]>(TIMELINE))[0]?.timeline ?? 0;
  try {
    // postgres.js tries again by itself where a proxy accepts connections and closes them.
    return await pTimeout(ask(), { milliseconds: withinS * SECOND_MS, message: new NoPrimary("no answer") });
  } finally {
    void client.end({ timeout: 0 });
  }
}

/** The searches for a primary that started a moment ago, so that connections that open together share one. */
const found = new Map<string, { atMs: number; primary: Promise<Primary> }>();

function primaryNow(url: string): Promise<Primary> {
  const known = found.get(url);
  if (known && performance.now() - known.atMs < KNOWN_FOR_MS) return known.primary;
  const primary = findPrimary(url);
  found.set(url, { atMs: performance.now(), primary });
  // A failed search is not kept, so the next connection asks again.
  primary.catch(() => found.delete(url));
  return primary;
}

type Options = postgres.Options<{ bigint: postgres.PostgresType<bigint> }>;

/**
 * Returns a client of postgres.js, each of whose connections goes to the host that is the primary then. The sockets are ours, over TLS too, so
 * that `watching` can follow what is said on them. Without it, an answer may take as long as it needs.
 */
export function open(
  url: string,
  options: Options,
  watching: Watch = { answerWithinMs: Number.POSITIVE_INFINITY },
): postgres.Sql<{ bigint: bigint }> {
  const [first, ...others] = hostsOf(url);
  const isOneOfSeveral = first !== undefined && others.length > 0;
  const ownUrl = isOneOfSeveral ? withHost(url, first) : url;
  const { connect_timeout: withinS = isOneOfSeveral ? CONNECT_WITHIN_S.severalHosts : CONNECT_WITHIN_S.oneHost } = options;
  // postgres.js reads the URL and the settings of PostgreSQL's own programs.
  const { host: hosts, port: ports, path, ssl, sslnegotiation } = postgres(ownUrl, { ...options, max: 1 }).options as Parsed;
  const place = { host: first?.host ?? hosts[0] ?? "", port: ports[0] ?? DEFAULT_PORT };
  const tls = { ssl, isDirect: sslnegotiation === "direct" };

  async function connect(): Promise<Socket> {
    const { host, port } = isOneOfSeveral ? await primaryNow(url) : place;
    const socket = await connectSocket(path ? { path } : { host, port }, tls, withinS * SECOND_MS);
    watch(socket, watching);
    // postgres.js names them in its errors.
    return Object.assign(socket, { host, port });
  }
  // The types of postgres.js lack `socket`. Of several hosts it would wait for the others after an error.
  const own: object = { socket: () => connect().catch(failedSocket), ssl: false, host: [place.host], port: [place.port] };
  return postgres(ownUrl, { ...options, connect_timeout: withinS, ...own });
}

interface Parsed {
  host: string[];
  port: number[];
  /** Of a Unix socket. */
  path?: string | false;
  ssl: string | boolean | object;
  sslnegotiation?: string | null;
}

/** Returns a socket that ends with an error: to postgres.js a connection opens until its socket closes, and an error makes it wait longer. */
function failedSocket(error: Error): Socket {
  const socket = new Socket();
  setImmediate(() => {
    if (socket.destroyed) return;
    // A socket that never had a connection would close without saying that it failed.
    socket.emit("error", error);
    socket.emit("close", true);
  });
  return socket;
}
