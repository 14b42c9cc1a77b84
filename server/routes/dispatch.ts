import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import compression from "compression";
import { NodeRequest } from "srvx/node";
import { problemResponse } from "#app/_http/problems.ts";
import { logFailure } from "#app/log-failure.ts";
import { newId } from "#lib/ids.ts";
import { Problem } from "#lib/problem.ts";
import type { Found } from "./route-table.ts";

export type Handler = (request: Request, context: { params: Promise<Found["params"]> }) => Response | Promise<Response>;

/** The methods that a route's module exports, as Next names them. */
export type RouteModule = Partial<Record<string, Handler>>;

const METHODS = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/**
 * Returns the handler of a method. As Next does it, GET answers HEAD where a route does not, OPTIONS names the methods, and a method that a
 * route does not have gets 405.
 */
export function handlerOf(route: RouteModule, method: string): Handler {
  const given = route[method] ?? (method === "HEAD" ? route.GET : undefined);
  if (given) return given;
  if (method !== "OPTIONS") return () => new Response(null, { status: 405 });
  const own = METHODS.filter((name) => route[name] || name === "OPTIONS" || (name === "HEAD" && route.GET));
  return () => new Response(null, { status: 204, headers: { Allow: own.join(", ") } });
}

const compress = promisify(compression());

/** Answers a request by a route, as Next would: same request, same answer, compressed for those who ask for it. */
export async function dispatch(request: IncomingMessage, response: ServerResponse, route: RouteModule, found: Found): Promise<void> {
  alignRawHeaders(request);
  await compress(request as never, response as never);
  const answer = await call(handlerOf(route, request.method ?? "GET"), request, response, found);
  await send(answer, request, response);
}

/** Next sets these itself, so a route's are not sent. */
const OF_FRAMING = ["content-length", "content-encoding", "transfer-encoding"];
const REPEATED = ["set-cookie", "vary"];

async function send({ status, headers, body }: Response, { method }: IncomingMessage, response: ServerResponse): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of headers) {
    if (REPEATED.includes(name)) response.appendHeader(name, value);
    // A header that the border has set stays.
    else if (!OF_FRAMING.includes(name) && !response.hasHeader(name)) response.setHeader(name, value);
  }
  if (!body || method === "HEAD") {
    await body?.cancel();
    response.end();
    return;
  }
  await sendBody(body.getReader(), response);
}

type Bytes = Uint8Array<ArrayBuffer>;
type Reader = ReadableStreamDefaultReader<Bytes>;

/** Sends a body that is already complete as one piece, with its length, and any other as a stream, as fast as its client reads. */
async function sendBody(reader: Reader, response: ServerResponse): Promise<void> {
  // The client has left or got everything, so nobody reads the rest. Cancelling a broken stream rejects.
  response.once("close", () => void reader.cancel().catch(() => undefined));
  try {
    const first = await reader.read();
    const second = first.done ? undefined : reader.read();
    if (!first.value || !second || (await Promise.race([second, afterAvailableReads()]))?.done) {
      if (first.value) response.setHeader("Content-Length", first.value.byteLength);
      response.end(first.value);
      return;
    }
    flushEachChunk(response);
    await pipeline(partsOf(first.value, second, reader), response);
  } catch {
    // The body broke, which its route has logged, or the client left. The answer must not look complete.
    response.destroy();
  }
}

/** Resolves to undefined once everything that is available now has been read. */
const afterAvailableReads = () => new Promise<undefined>((done) => setImmediate(() => done(undefined)));

async function* partsOf(first: Bytes, second: ReturnType<Reader["read"]>, reader: Reader): AsyncGenerator<Bytes> {
  yield first;
  for (let part = await second; part.value; part = await reader.read()) yield part.value;
}

async function call(handler: Handler, request: IncomingMessage, response: ServerResponse, { params, entry }: Found): Promise<Response> {
  try {
    return await handler(new NodeRequest({ req: request, res: response }) as Request, { params: Promise.resolve(params) });
  } catch (error) {
    const requestId = newId("request");
    // Not the path itself: a payment reference in it opens its page.
    logFailure(error, { requestId, method: request.method ?? "", route: entry.path });
    return problemResponse(new Problem("INTERNAL_ERROR", "Something failed on our side. Quote request_id to support."), requestId);
  }
}

/**
 * Makes the raw headers equal to the parsed ones. The border has removed headers from the parsed ones and added the peer's address; a
 * `Headers` made from the raw ones would still contain the values of the client.
 */
function alignRawHeaders(request: IncomingMessage): void {
  request.rawHeaders = Object.entries(request.headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? ""]).flatMap((each) => [name, each]),
  );
}

/** Flushes each part of a stream at once. The compressor would wait for 16 KB, and the client would wait for rows that exist. */
function flushEachChunk(response: ServerResponse & { flush?: () => void }): void {
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  response.write = (...given: unknown[]) => {
    const mayGoOn = write(...given);
    response.flush?.();
    return mayGoOn;
  };
}
