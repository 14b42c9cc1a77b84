import { setTimeout as wait } from "node:timers/promises";
import { RawConnection } from "../raw-http.ts";

// A hostile client in a process of its own: `client.ts URL ADDRESS SECONDS`. It attacks this machine only, with a bounded number of
// requests, and ends by itself.

const [url = "", from = "", seconds = "0"] = process.argv.slice(2);
if (new URL(url).hostname !== "127.0.0.1" || !from.startsWith("127.")) throw new Error("the client attacks this machine only");
const endsAtMs = performance.now() + Number(seconds) * 1_000;
const opened = new Set<RawConnection>();

function open(text = ""): RawConnection {
  const connection = new RawConnection(url, { from });
  opened.add(connection);
  connection.socket.once("close", () => opened.delete(connection));
  return connection.send(text);
}

const HOST = "Host: a\r\n";
const JSON_BODY = `${HOST}Content-Type: application/json\r\n`;
const slowly: RawConnection[] = [];

/** Attacks with their rates. Together they open about 190 connections a second. */
const ATTACKS: [perSecond: number, attack: () => void][] = [
  [10, () => void slowly.push(open("GET /health HTTP/1.1\r\n"))],
  [10, () => void slowly.push(open(`POST /api/v1/checkout/create HTTP/1.1\r\n${JSON_BODY}Content-Length: 60000\r\n\r\n{`))],
  [60, () => void open()],
  [20, () => void open(`GET /nothing HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)],
  [20, () => void open(`POST /x HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nContent-Length: 5\r\n\r\nab`)],
  [20, () => void open(`GET /health?${"a&".repeat(7_000)} HTTP/1.1\r\n${HOST}\r\n`)],
  [20, () => void open(`GET /health?${"a&".repeat(1_900)} HTTP/1.1\r\n${HOST}\r\n`)],
  [2, () => void open(`GET /health HTTP/1.1\r\n${HOST}\r\n`.repeat(200))],
  [2, () => void open(`GET /api/v1/openapi.json HTTP/1.1\r\n${HOST}\r\n`.repeat(10)).socket.pause()],
  [20, () => resetDuringBody()],
  [5, () => void open(`POST /nothing HTTP/1.1\r\n${JSON_BODY}Transfer-Encoding: chunked\r\n\r\nffffffff\r\n${"x".repeat(65_536)}`)],
  [5, () => void open("\u0000\u0001nonsense\r\n\r\n")],
];

function resetDuringBody(): void {
  const connection = open(`POST /api/providers/sandbox/notices HTTP/1.1\r\n${JSON_BODY}Content-Length: 1000\r\n\r\n{"half`);
  setTimeout(() => connection.reset(), 50);
}

for (const [perSecond, attack] of ATTACKS) {
  const timer = setInterval(() => {
    if (performance.now() > endsAtMs) clearInterval(timer);
    else attack();
  }, 1_000 / perSecond);
}
const drip = setInterval(() => {
  for (const connection of slowly) if (!connection.isClosed) connection.send("x");
}, 1_000);
await wait(Math.max(0, endsAtMs - performance.now()));
clearInterval(drip);
for (const connection of opened) connection.socket.destroy();
