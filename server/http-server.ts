import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { BlockList, Socket } from "node:net";
import { problemResponse } from "#app/_http/problems.ts";
import { countPageOfSession, countVisit } from "#app/_http/rate-limit.ts";
import { unknownPath } from "#app/_http/refusals.ts";
import { cookieIn } from "#lib/cookies.ts";
import { isMisspelt, isServedAt } from "#lib/faces.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { isListed, PEER_HEADER } from "#lib/peer.ts";
import { Problem } from "#lib/problem.ts";
import { sessionIdOf } from "#services/sessions/token.ts";
import {
  MAX_HEADER_BYTES,
  METHODS,
  NOT_FOUND,
  type Refusal,
  refusalOf,
  refusalOfAbsolute,
  refusalOfNextPath,
  removeFrameworkHeaders,
} from "./border.ts";
import { Connections, type Limits } from "./connections.ts";
import { enterLane, visitorOf } from "./lanes.ts";
import { type IsPage, isDirectRequest, preparePage, refusalOfWrite, routerHeaders } from "./pages.ts";

/** A phone sends its headers in one or two packets. A client that takes longer keeps the connection open on purpose. */
const HEADERS_WITHIN_MS = 10_000;
/** The largest body is 64 KB. After slow headers it needs 3 KB a second, which the slowest phone network gives. */
const REQUEST_WITHIN_MS = 30_000;
/** A proxy in front keeps its connections for about a minute. If we closed first, requests in transit would fail. */
const KEEP_ALIVE_MS = 65_000;
/** Without a byte for this long, the client has stopped reading. The longest answer waits 30 s for a provider. */
const SILENT_FOR_MS = 120_000;
/** A timeout is noticed at most this much late. */
const CHECK_TIMEOUTS_EVERY_MS = 1_000;
/** After an answer that did not need the whole body, the client may send the rest for this long. Otherwise it would get a reset. */
const REST_OF_BODY_WITHIN_MS = 1_000;

export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ServerOptions {
  handle: Handle;
  limits: Limits;
  trustedProxies: BlockList;
  /** The hosts of our addresses, for requests that name one in their first line. */
  hosts: ReadonlySet<string>;
  /** Tells browsers to use https alone for a year. */
  strictTransport: boolean;
  /** Paths of the build's files under `/_next/static`. */
  staticFiles: ReadonlySet<string>;
  isPage: IsPage;
  /** In development, Next's tools use paths and WebSockets of their own, so the framework's requests are let through. */
  dev: boolean;
  /** Called for each request that claims to be forwarded by a proxy that the settings do not name. */
  onUntrustedForwarder: (address: string) => void;
}

/** Creates the HTTP server around routes and Next. It refuses requests that would make them slow, print to the log or leak a socket. */
export function createBorderServer(options: ServerOptions): Server {
  const connections = new Connections(options.limits, options.trustedProxies);
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
      // Without this, Next takes the socket of each upgrade request and leaks it. A refused upgrade is served as an ordinary request.
      shouldUpgradeCallback: ({ url = "" }) => options.dev && url.startsWith("/_next/"),
    },
    (request, response) => serve(request, response, connections, options),
  );
  server.setTimeout(SILENT_FOR_MS);
  server.on("connection", (socket) => connections.take(socket));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => endBadRequest(error, socket as Socket, connections));
  return server;
}

function serve(request: IncomingMessage, response: ServerResponse, connections: Connections, options: ServerOptions): void {
  const { socket } = request;
  const due = connections.begin(socket);
  response.once("close", () => connections.end(socket));
  response.once("finish", () => endUnreadBody(request));
  if (request.httpVersion === "1.0") resetWhereCutShort(response);
  // Node loses bytes that follow an upgrade request in the same packet, so the connection ends after the answer.
  if (request.headers.upgrade !== undefined && !options.dev) response.setHeader("Connection", "close");
  setSecurityHeaders(response, options);
  // The connection ends after the refusal, so the client would not read a second one.
  if (due === "nothing") return;
  const refusal = due === "refusal" ? TOO_MANY_AT_ONCE : (refusalOfAbsolute(request, options.hosts) ?? refusalBeforeNext(request, options));
  if (refusal) {
    void sendRefusal(refusal, request, response);
    return;
  }
  noteForwarder(request, options);
  const isPage = options.isPage(request);
  if (isPage && !options.dev && countVisit(visitorOf(request, options.trustedProxies), COST_OF_PAGE) > 0) {
    void sendRefusal(TOO_MANY_VISITS, request, response);
    return;
  }
  const session = isPage && !options.dev ? cookieIn(request.headers.cookie ?? "", "session") : undefined;
  if (session === undefined) pass(request, response, options, isPage);
  else {
    void isOverLimit(session).then((isOver) => {
      if (isOver) void sendRefusal(TOO_MANY_VISITS, request, response);
      else pass(request, response, options, isPage);
    });
  }
}

/** Hands a request to a route or to Next. */
function pass(request: IncomingMessage, response: ServerResponse, options: ServerOptions, isPage: boolean): void {
  const isDirect = isDirectRequest(request);
  const fromRouter = isPage ? routerHeaders(request) : {};
  if (!options.dev) removeFrameworkHeaders(request);
  Object.assign(request.headers, fromRouter);
  if (isPage) preparePage(request, response, { dev: options.dev, isDirect });
  request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "unknown";
  const handle = () => {
    options.handle(request, response).catch((error: unknown) => {
      log().error({ err: error }, "a request could not be answered");
      response.destroy();
    });
  };
  if (options.dev) handle();
  else if (!enterLane(request, response, options.trustedProxies, handle)) void sendRefusal(TOO_MANY_WAIT, request, response);
}

/**
 * Counts a page in the rate limit of the session that the cookie names, as several of its requests. Returns whether the session is
 * over the limit. A page with an unknown cookie is counted by its address only.
 */
async function isOverLimit(cookie: string): Promise<boolean> {
  const sessionId = await sessionIdOf(cookie);
  return sessionId !== undefined && countPageOfSession(sessionId, COST_OF_PAGE) > 0;
}

/** React renders a page of people in about the time of four pages of payers. */
const COST_OF_PAGE = 4;
const TOO_MANY_VISITS: Refusal = { code: "RATE_LIMITED", message: "Too many requests. Wait a moment, then open the page again." };
const TOO_MANY_WAIT: Refusal = { code: "RATE_LIMITED", message: "Too many requests of your network wait. Send fewer at once." };
const TOO_MANY_AT_ONCE: Refusal = { code: "RATE_LIMITED", message: "Wait for answers before you send more requests on this connection." };

export function pathOf({ url = "" }: Pick<IncomingMessage, "url">): string {
  const [path = ""] = url.split("?");
  try {
    return decodeURIComponent(path);
  } catch {
    // The border refuses such a path. In development it lets those of Next's tools through.
    return path;
  }
}

/** Returns whether a URL can be made of a host. Otherwise any code that reads the `url` of the web request would throw. */
const isHost = (host: string | undefined): boolean => !host || URL.canParse(`http://${host}`);

function refusalBeforeNext(request: IncomingMessage, { dev, staticFiles, isPage }: ServerOptions): Refusal | undefined {
  // The files of Next's development tools have brackets in their names.
  if (dev && /^\/_{1,2}next/.test(request.url ?? "")) return undefined;
  const refusal = refusalOf(request);
  if (refusal) return refusal;
  const path = pathOf(request);
  if (isMisspelt(request.url?.split("?")[0] ?? "") || !isHost(request.headers.host) || !isServedAt(request.headers.host, path))
    return NOT_FOUND;
  if (dev) return undefined;
  return isPage(request) ? refusalOfWrite(request) : refusalOfNextPath(request, staticFiles);
}

/** A handler that answers with a page sets its own policies instead. */
const REFERRER_POLICY = "no-referrer";
const NOTHING_LOADS = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function setSecurityHeaders(response: ServerResponse, { dev, strictTransport }: ServerOptions): void {
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("X-Frame-Options", "DENY");
  if (strictTransport) response.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  // Set last, because Next drops a handler's header if the response already has one of that name.
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    setDefault(response, "Referrer-Policy", REFERRER_POLICY);
    if (!dev) setDefault(response, "Content-Security-Policy", NOTHING_LOADS);
    return writeHead(...given);
  };
}

function setDefault(response: ServerResponse, name: string, value: string): void {
  if (!response.hasHeader(name)) response.setHeader(name, value);
}

async function sendRefusal({ code, message }: Refusal, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const answer =
    code === "RESOURCE_NOT_FOUND" ? unknownPath(headers.accept) : problemResponse(new Problem(code, message), newId("request"));
  if (code === "METHOD_NOT_ALLOWED") answer.headers.set("Allow", METHODS.join(", "));
  if (code === "RATE_LIMITED") answer.headers.set("Retry-After", "1");
  if (code !== "RESOURCE_NOT_FOUND") answer.headers.set("Connection", "close");
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), "Content-Length": body.length }).end(body);
}

/** Ends the connection soon if its client has not sent the whole body. Node would read on for as long as a request may take. */
function endUnreadBody(request: IncomingMessage): void {
  if (request.complete) return;
  const end = setTimeout(() => request.socket.destroy(), REST_OF_BODY_WITHIN_MS);
  request.once("close", () => clearTimeout(end));
}

/**
 * Resets the connection if an answer breaks in the middle. Some proxies speak HTTP/1.0 to us, which has no chunks: for them the end
 * of the connection is the end of the answer, and half a file would look complete.
 */
function resetWhereCutShort(response: ServerResponse): void {
  const destroy = response.destroy.bind(response);
  response.destroy = (error?: Error) => {
    if (response.headersSent && !response.writableEnded) response.socket?.resetAndDestroy();
    return destroy(error);
  };
}

/** Ends a connection whose request Node could not parse, or did not get in time. Sends the reason, unless an answer is on its way. */
function endBadRequest({ code }: NodeJS.ErrnoException, socket: Socket, connections: Connections): void {
  if (!socket.writable || connections.isAnswering(socket) || code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, message] = BAD_REQUESTS[code ?? ""] ?? ["400 Bad Request", "This is not an HTTP request."];
  const head = [`HTTP/1.1 ${status}`, "Connection: close", "Content-Type: text/plain; charset=utf-8", "Cache-Control: no-store"];
  socket.end([...head, "", message].join("\r\n"), () => socket.destroy());
}

const seconds = (ms: number) => `${ms / 1_000} seconds`;
const BAD_REQUESTS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ["413 Content Too Large", `Send at most ${MAX_HEADER_BYTES / 1024} KB of headers and address.`],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    `Send the headers within ${seconds(HEADERS_WITHIN_MS)} and the whole request within ${seconds(REQUEST_WITHIN_MS)}.`,
  ],
};

function noteForwarder({ headers, socket }: IncomingMessage, { trustedProxies, onUntrustedForwarder }: ServerOptions): void {
  if (headers["x-forwarded-for"] === undefined) return;
  const address = socket.remoteAddress ?? "unknown";
  if (!isListed(address, trustedProxies)) onUntrustedForwarder(address);
}
