import type { IncomingMessage } from "node:http";
import type { ErrorCode } from "#lib/problem.ts";

/**
 * The largest request that reaches Next. Each limit is far above the largest honest request and keeps the work that a stranger can
 * ask for under 5 ms (docs/security.md has the figures): Next's own cost grows with the square of the number of query keys.
 */
export const MAX_TARGET = {
  pathCharacters: 1_024,
  pathSegments: 16,
  queryCharacters: 4_096,
  querySeparators: 64,
} as const;
export const MAX_HEADERS = 64;
/** Names, values and separators together. Node answers larger ones itself, before there is a request. */
export const MAX_HEADER_BYTES = 16 * 1024;
/** The largest body of any endpoint. */
export const MAX_BODY_BYTES = 64 * 1024;

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Headers by which Next's own parts speak to each other, and those by which a proxy would rename us. No client of ours sends them. */
const FRAMEWORK_HEADER =
  /^(?:rsc|next-.*|x-(?:next|nextjs|middleware|invoke|matched|prerender|now|vercel|action|edge)-.*|x-forwarded-(?:host|port|proto))$/;

type BorderRequest = Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">;

export interface Refusal {
  code: Extract<ErrorCode, "RESOURCE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PAYLOAD_TOO_LARGE" | "RATE_LIMITED">;
  message: string;
}

const NOT_FOUND: Refusal = { code: "RESOURCE_NOT_FOUND", message: "There is nothing at this address." };
const tooLarge = (message: string): Refusal => ({ code: "PAYLOAD_TOO_LARGE", message });

/** Returns why a request may not reach Next, or undefined where it may. Costs a few microseconds, whatever is sent. */
export function refusalOf(request: BorderRequest): Refusal | undefined {
  const { method = "", url = "", headers, rawHeaders } = request;
  if (!METHODS.includes(method)) return { code: "METHOD_NOT_ALLOWED", message: `Use one of ${METHODS.join(", ")}.` };
  if (rawHeaders.length / 2 > MAX_HEADERS) return tooLarge(`Send at most ${MAX_HEADERS} headers.`);
  if (Number(headers["content-length"] ?? 0) > MAX_BODY_BYTES) return tooLarge("Send at most 64 KB.");
  const queryAt = url.indexOf("?");
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  return refusalOfPath(path) ?? (queryAt < 0 ? undefined : refusalOfQuery(url.slice(queryAt + 1)));
}

function refusalOfPath(path: string): Refusal | undefined {
  if (path.length > MAX_TARGET.pathCharacters) return tooLarge(`Send a path of at most ${MAX_TARGET.pathCharacters} characters.`);
  if (countOf(path, /\//g) > MAX_TARGET.pathSegments) return tooLarge(`Send a path of at most ${MAX_TARGET.pathSegments} parts.`);
  return isPlain(path) ? undefined : NOT_FOUND;
}

/**
 * What Next understands in a path beside its parts: doubled and backward slashes (it redirects those, and would send a browser to another
 * host), dot segments (a second spelling of any path), and brackets (it replaces each `[reference]` by the whole reference).
 */
const MEANS_MORE = /\/\/|[\\#[\]]|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/** Whether a path is one that a route may have: from the root, and decoding to text without control characters, as a database holds it. */
function isPlain(path: string): boolean {
  if (!path.startsWith("/") || MEANS_MORE.test(path)) return false;
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

const countOf = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

/** By these cookies Next would leave its cache aside and answer with cookies that clear them. */
const FRAMEWORK_COOKIE = /(?:^|;\s*)(?:__prerender_bypass|__next_preview_data)=[^;]*/g;

/** Lists that Next and its libraries weigh item by item: thousands of items would take 5 to 25 ms. No browser sends as much. */
const MAX_LIST_CHARACTERS = 1_000;
const LISTS = ["accept", "accept-encoding", "accept-language"];
const MAX_COOKIE_CHARACTERS = 4_096;

/** Removes what only Next and proxies may say, and what is longer than a client needs. Next's development tools need theirs. */
export function removeFrameworkHeaders({ headers }: Pick<IncomingMessage, "headers">): void {
  for (const name in headers) if (FRAMEWORK_HEADER.test(name)) delete headers[name];
  for (const name of LISTS) if (String(headers[name] ?? "").length > MAX_LIST_CHARACTERS) delete headers[name];
  if ((headers.cookie?.length ?? 0) > MAX_COOKIE_CHARACTERS) delete headers.cookie;
  if (headers.cookie !== undefined) headers.cookie = headers.cookie.replace(FRAMEWORK_COOKIE, "");
}

/** Paths that Next answers by itself: image optimiser, page data, tools and error pages. Nothing of ours needs any of them. */
const DOOR_OF_NEXT = /^\/(?:_|404(?:\/|$)|500(?:\/|$))/;
/** With these Next answers 500 or 412 for a file of the build. */
const CONDITIONS = ["range", "if-range", "if-match", "if-unmodified-since"];

/** Returns a refusal for a path that belongs to Next, unless it is a file of the build that a browser reads. */
export function refusalOfDoor({ method = "", url = "", headers }: BorderRequest, staticFiles: ReadonlySet<string>): Refusal | undefined {
  const path = decodeURIComponent(url.split("?")[0] ?? "");
  if (!DOOR_OF_NEXT.test(path)) return undefined;
  if (!staticFiles.has(path)) return NOT_FOUND;
  for (const name of CONDITIONS) delete headers[name];
  return method === "GET" || method === "HEAD" ? undefined : { code: "METHOD_NOT_ALLOWED", message: "Use GET or HEAD here." };
}
