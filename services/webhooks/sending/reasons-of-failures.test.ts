import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { GuardedClient } from "#lib/guarded-request.ts";
import { reasonOf, reasonOfBreak } from "./reasons-of-failures.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** Posts to a server that does this with its connection. Returns what is said of the failure. */
async function saidOf(behave: (socket: Socket) => void, scheme = "http"): Promise<string | null> {
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => behave(socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const client = new GuardedClient({ strict: false, allowLoopback: true });
  try {
    const post = { headers: {}, body: Buffer.from("{}"), deadlineMs: 5_000 };
    const { brokenBy } = await client.post(`${scheme}://127.0.0.1:${port}/`, post).answer;
    return brokenBy === null ? null : reasonOfBreak(brokenBy);
  } catch (error) {
    return reasonOf(error);
  } finally {
    await client.close();
  }
}

test.each<[string, (socket: Socket) => void, string, string?]>([
  ["no HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"), "It answered with something that is no HTTP."],
  ["a reset", (socket) => socket.resetAndDestroy(), "The connection was reset before there was an answer."],
  ["an end without an answer", (socket) => socket.end(), "The connection was closed before there was an answer."],
  [
    "an end behind the status line",
    (socket) => socket.end("HTTP/1.1 200 OK\r\n"),
    "The connection was closed in the middle of the answer.",
  ],
  [
    "an end within the body",
    (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf"),
    "The connection was closed in the middle of the answer.",
  ],
  [
    "a port that speaks no TLS",
    (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    "The TLS handshake failed: this port does not speak https.",
    "https",
  ],
])("a delivery that meets %s is told in words", async (_what, behave, said, scheme) => {
  expect(await saidOf(behave, scheme)).toBe(said);
});

test("no reason has a code of the library", () => {
  const coded = (code: string) => Object.assign(new Error("x"), { code });
  for (const code of [
    "UND_ERR_INFO",
    "UND_ERR_SOCKET",
    "UND_ERR_BODY_TIMEOUT",
    "HPE_INVALID_CHUNK_SIZE",
    "EPROTO",
    "ERR_SSL_TLSV1_ALERT",
  ]) {
    for (const said of [reasonOf(coded(code)), reasonOfBreak(coded(code))]) expect(said).not.toMatch(/UND_ERR|HPE_|ERR_SSL|EPROTO/);
  }
});
