import type { IncomingMessage } from "node:http";
import type { ErrorCode } from "#lib/problem.ts";

/**
 * The largest request that reaches Next. Each limit is far above the largest ordinary request. The largest of a kind takes less than 5 ms
 * of CPU time more than a small one (docs/security.md has the figures). Next's cost grows with the square of the number of query keys.
 */
export const MAX_TARGET = {
  pathCharacters: 1_024,
  pathSegments: 16,
  queryCharacters: 4_096,
  querySeparators: 64,
} as const;
export const MAX_HEADERS = 64;
/** Counts names, values and separators. Node refuses larger headers itself, before it makes a request of them. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** The largest body of any endpoint but those of `LARGER_BODIES`. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Endpoints that take a file, by method and path, with its largest size in bytes. */
const LARGER_BODIES: Record<string, number> = {
  "POST /api/dashboard/bulk-orders": 256 * 1024,
  "POST /api/dashboard/brand/logo": 5 * 1024 * 1024,
};

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Headers that Next's own parts and our server add, and headers by which a proxy changes our host. No client of ours sends them. */
const FRAMEWORK_HEADER =
  /^(?:rsc|next-.*|x-(?:next|nextjs|middleware|invoke|matched|prerender|now|vercel|action|edge)-.*|x-forwarded-(?:host|port|proto)|x-nonce|content-security-policy|oja-target|oja-direct)$/;

type BorderRequest = Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">;

export interface Refusal {
  code: Extract<ErrorCode, "RESOURCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED">;
  message: string;
}

export const NOT_FOUND: Refusal = { code: "RESOURCE_NOT_FOUND", message: "There is nothing at this address." };
const tooLarge = (message: string): Refusal => ({ code: "PAYLOAD_TOO_LARGE", message });

/** Returns why a request may not reach Next, or undefined if it may. Takes a few microseconds for any request. */
export function refusalOf(request: BorderRequest): Refusal | undefined {
  const { method = "", url = "", headers, rawHeaders } = request;
  if (!METHODS.includes(method)) return { code: "METHOD_NOT_ALLOWED", message: `Use one of ${METHODS.join(", ")}.` };
  if (rawHeaders.length / 2 > MAX_HEADERS) return tooLarge(`Send at most ${MAX_HEADERS} headers.`);
  const queryAt = url.indexOf("?");
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const maxBytes = LARGER_BODIES[`${method} ${path}`] ?? MAX_BODY_BYTES;
  if (Number(headers["content-length"] ?? 0) > maxBytes) return tooLarge(`Send at most ${maxBytes / 1024} KB.`);
  return refusalOfPath(path) ?? (queryAt < 0 ? undefined : refusalOfQuery(url.slice(queryAt + 1)));
}

function refusalOfPath(path: string): Refusal | undefined {
  if (path.length > MAX_TARGET.pathCharacters) return tooLarge(`Send a path of at most ${MAX_TARGET.pathCharacters} characters.`);
  if (countOf(path, /\//g) > MAX_TARGET.pathSegments) return tooLarge(`Send a path of at most ${MAX_TARGET.pathSegments} parts.`);
  return isPlain(path) ? undefined : NOT_FOUND;
}

/**
 * Characters to which Next gives a meaning of its own: doubled and backward slashes (Next redirects them, and would send a browser to
 * another host), dot segments (a second spelling of any path), brackets (Next replaces each `[reference]` by the whole reference), and the
 * ending by which its router asks for a page.
 */
const SPECIAL_TO_NEXT = /\/\/|[\\#[\]]|\/(?:\.|%2e){1,2}(?:\/|$)|\.rsc$/i;

/** Returns whether a route may have this path: it starts at the root, and decodes to text without control characters. */
function isPlain(path: string): boolean {
  if (!path.startsWith("/") || SPECIAL_TO_NEXT.test(path)) return false;
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

function refusalOfQuery(query: string): Refusal | undefined {
  if (query.length > MAX_TARGET.queryCharacters) return tooLarge(`Send a query of at most ${MAX_TARGET.queryCharacters} characters.`);
  if (countOf(query, /[&;]/g) > MAX_TARGET.querySeparators) {
    return tooLarge(`Send a query of at most ${MAX_TARGET.querySeparators + 1} parameters.`);
  }
  return undefined;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Gives a request whose line has the whole address (RFC 9112, 3.2.2) the form of all others: its path, and the host of the address, which counts in
 * place of the header. Returns a refusal if the host is not one of `hosts`.
 */
export function refusalOfAbsolute(request: Pick<IncomingMessage, "url" | "headers">, hosts: ReadonlySet<string>): Refusal | undefined {
  const [, host, rest = ""] = ABSOLUTE.exec(request.url ?? "") ?? [];
  if (host === undefined) return undefined;
  if (!hosts.has(host.toLowerCase())) return NOT_FOUND;
  request.url = rest.startsWith("/") ? rest : `/${rest}`;
  request.headers.host = host;
  return undefined;
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** With these cookies Next would bypass its cache and answer with cookies that clear them. */
const FRAMEWORK_COOKIE = /(?:^|;\s*)(?:__prerender_bypass|__next_preview_data)=[^;]*/g;

/** Next and its libraries weigh these lists item by item. Thousands of items would take 5 to 25 ms; no browser sends that many. */
const MAX_LIST_CHARACTERS = 1_000;
const LISTS = ["accept", "accept-encoding", "accept-language"];
const MAX_COOKIE_CHARACTERS = 4_096;

/** Removes headers that only Next and proxies may send, and lists and cookies longer than a client needs. Next's development tools need them. */
export function removeFrameworkHeaders({ headers }: Pick<IncomingMessage, "headers">): void {
  for (const name in headers) if (FRAMEWORK_HEADER.test(name)) delete headers[name];
  for (const name of LISTS) if (String(headers[name] ?? "").length > MAX_LIST_CHARACTERS) delete headers[name];
  if ((headers.cookie?.length ?? 0) > MAX_COOKIE_CHARACTERS) keepOwnCookies(headers);
  if (headers.cookie !== undefined) headers.cookie = headers.cookie.replace(FRAMEWORK_COOKIE, "");
}

const OWN_COOKIE = /^\s*(?:__Host-)?oja-\w+=/;

/** Keeps our own cookies if there are too many. Another host of our domain may have set the others, and must not sign a person out. */
function keepOwnCookies(headers: IncomingMessage["headers"]): void {
  const own = (headers.cookie ?? "").split(";").filter((each) => OWN_COOKIE.test(each));
  const kept = own.join(";").trim();
  if (kept === "" || kept.length > MAX_COOKIE_CHARACTERS) delete headers.cookie;
  else headers.cookie = kept;
}

/** Paths that Next serves by itself: image optimiser, page data, tools and error pages. Oja needs the build's static files alone. */
const PATH_OF_NEXT = /^\/(?:_|404(?:\/|$)|500(?:\/|$))/;
/** For a file of the build, Next answers 500 or 412 to a request with these headers. */
const CONDITIONS = ["range", "if-range", "if-match", "if-unmodified-since"];

/** Returns a refusal for a path that belongs to Next, unless it is in `staticFiles`. Removes conditional headers from a request for such a file. */
export function refusalOfNextPath(
  { method = "", url = "", headers }: BorderRequest,
  staticFiles: ReadonlySet<string>,
): Refusal | undefined {
  const path = decodeURIComponent(url.split("?")[0] ?? "");
  if (!PATH_OF_NEXT.test(path) && !staticFiles.has(path)) return undefined;
  if (!staticFiles.has(path)) return NOT_FOUND;
  for (const name of CONDITIONS) delete headers[name];
  return method === "GET" || method === "HEAD" ? undefined : { code: "METHOD_NOT_ALLOWED", message: "Use GET or HEAD here." };
}
