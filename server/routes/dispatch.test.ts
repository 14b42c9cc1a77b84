import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { PEER_HEADER } from "#lib/peer.ts";
import { withDatabase } from "#testing/database.ts";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";
import { RawConnection, rawRequest } from "#testing/raw-http.ts";
import { until } from "#testing/until.ts";
import { dispatch, type Handler, type RouteModule } from "./dispatch.ts";

// The log's settings name a database.
withDatabase();

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Serves one route. `before` does with a request what the border does. Returns the address. */
async function serving(route: RouteModule, before: (request: IncomingMessage) => void = () => {}): Promise<string> {
  const entry = { kind: "route", file: "x/route.ts", path: "/x/[id]" } as const;
  server = createServer((request, response) => {
    before(request);
    response.setHeader("X-Frame-Options", "DENY");
    void dispatch(request, response, route, { entry, params: { id: "7" } });
  });
  return `http://127.0.0.1:${await listenOnLoopback(server)}`;
}

const getting = (handler: Handler): RouteModule => ({ GET: handler });
const posting = (handler: Handler): RouteModule => ({ POST: handler });
const bytes = (text: string) => new TextEncoder().encode(text);

describe("a method", () => {
  const withOwnHeader = () => new Response("body", { headers: { "X-Own": "1" } });
  const route = { ...getting(withOwnHeader), ...posting(withOwnHeader) };

  test("that a route does not have is answered with 405, and HEAD by GET without the body", async () => {
    const url = await serving(route);
    expect((await fetch(url, { method: "DELETE" })).status).toBe(405);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("x-own"), await head.text()]).toEqual([200, "1", ""]);
  });

  test("OPTIONS names the methods that there are", async () => {
    const options = await fetch(await serving(route), { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
  });
});

test("a route gets the request with its address, parameters and body", async () => {
  const echo: Handler = async (request, { params }) =>
    Response.json([new URL(request.url).search, await params, request.method, await request.text()]);
  const got = await fetch(`${await serving(posting(echo))}/x/7?a=1&a=2`, { method: "POST", body: "sent" });
  expect(await got.json()).toEqual(["?a=1&a=2", { id: "7" }, "POST", "sent"]);
});

test("each cookie has a header of its own, and a header that the border has set stays", async () => {
  const headers = new Headers({ "X-Frame-Options": "SAMEORIGIN" });
  for (const name of ["a", "b", "c"]) headers.append("Set-Cookie", `${name}=1; Path=/`);
  const got = await fetch(await serving(getting(() => new Response("x", { headers }))));
  expect(got.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=1; Path=/", "c=1; Path=/"]);
  expect(got.headers.get("x-frame-options")).toBe("DENY");
});

test("a client cannot bring back a header that the border has removed or replaced, whatever it repeats", async () => {
  const seen: (string | null)[][] = [];
  const look: Handler = ({ headers }) => {
    for (const each of [headers, new Headers(headers)]) seen.push([each.get(PEER_HEADER), each.get("x-removed")]);
    return new Response("x");
  };
  const url = await serving(getting(look), ({ headers }) => {
    headers[PEER_HEADER] = "203.0.113.7";
    delete headers["x-removed"];
  });
  const repeated = ["Authorization: a", "Authorization: b", "From: x", "From: y"];
  await rawRequest(url, ["GET / HTTP/1.1", "Host: a", `${PEER_HEADER}: 198.51.100.1`, "X-Removed: 1", ...repeated, "Connection: close"]);
  expect(seen).toEqual([
    ["203.0.113.7", null],
    ["203.0.113.7", null],
  ]);
});

test("an answer that is complete at once has a Content-Length, and one below a kilobyte is not compressed", async () => {
  const got = await fetch(await serving(getting(() => Response.json({ ok: true }))), { headers: { "Accept-Encoding": "gzip" } });
  expect([got.headers.get("content-length"), got.headers.get("transfer-encoding"), got.headers.get("content-encoding")]).toEqual([
    "11",
    null,
    null,
  ]);
  expect(await got.json()).toEqual({ ok: true });
});

test("a route that throws is answered in the API's error shape, without its reason", async () => {
  const fail: Handler = () => {
    throw new Error("a secret reason");
  };
  const got = await fetch(await serving(getting(fail)));
  const body = await got.text();
  expect(got.status).toBe(500);
  expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: "INTERNAL_ERROR" } });
  expect(body).not.toContain("secret");
});

describe("a stream", () => {
  test("sends each part when it is there, also compressed", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const url = await serving(getting(() => new Response(readable, { headers: { "Content-Type": "text/csv" } })));
    const asked = fetch(url, { headers: { "Accept-Encoding": "gzip" } });
    await writer.write(bytes("first,part\n"));
    const got = await asked;
    expect(got.headers.get("content-encoding")).toBe("gzip");
    const reader = got.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toMatchObject({ value: "first,part\n" });
    await writer.write(bytes("second\n"));
    expect(await reader?.read()).toMatchObject({ value: "second\n" });
    await writer.close();
    expect(await reader?.read()).toMatchObject({ done: true });
  });

  test("is read no faster than its client takes it, and is cancelled when the client leaves", async () => {
    let made = 0;
    const cancel = vi.fn();
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      made++;
      controller.enqueue(new Uint8Array(64 * 1024).fill(120));
    };
    const url = await serving(getting(() => new Response(new ReadableStream({ pull, cancel }))));
    const connection = new RawConnection(url).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await connection.answered(/xxxx/);
    connection.socket.pause();
    // The buffers of both ends fill up; then nothing more is made.
    let before = -1;
    await until(async () => {
      const isStill = made === before;
      before = made;
      return isStill;
    });
    expect(made).toBeLessThan(1_000);
    connection.socket.destroy();
    await until(async () => cancel.mock.calls.length > 0);
  });

  test("that breaks ends the connection, so that half a file does not look whole", async () => {
    const start = (controller: ReadableStreamDefaultController<Uint8Array>) => controller.enqueue(bytes("half"));
    const pull = () => {
      throw new Error("the database has gone");
    };
    const url = await serving(getting(() => new Response(new ReadableStream({ start, pull }))));
    await expect(fetch(url).then((got) => got.text())).rejects.toThrow();
  });

  test("an upload whose client leaves is an error to the route that reads it", async () => {
    const failed = vi.fn();
    const read: Handler = async (request) => {
      await request.text().catch(failed);
      return new Response("x");
    };
    const sending = httpRequest(await serving(posting(read)), { method: "POST", headers: { "Content-Length": "100" } });
    sending.on("error", () => undefined);
    sending.write("a part", () => setImmediate(() => sending.destroy()));
    await until(async () => failed.mock.calls.length > 0);
  });
});
