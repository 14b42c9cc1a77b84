import cluster from "node:cluster";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import next from "next";
import { refuseUnknownPath } from "#app/api/_http/refusals.ts";
import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { PEER_HEADER } from "#lib/peer.ts";
import { shutDown } from "#lib/shutdown.ts";
import { ROOT } from "./runtime.ts";

/** How long requests that are under way may take to finish once we were told to stop. */
const DRAIN_MS = 8_000;

// What this process imports is one copy of the code, what Next has bundled is another; both read settings from the environment.
if (cluster.isPrimary) startWorkers(settings().WEB_CONCURRENCY);
else await serve();

function startWorkers(count: number): void {
  let stopping = false;
  const stop = () => {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {});
    if (workers.length === 0) process.exit(0);
    for (const worker of workers) worker?.process.kill("SIGTERM");
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", () => {});
  // The parent is gone, however it went: nobody else would stop us.
  process.on("disconnect", stop);
  for (let i = 0; i < count; i++) cluster.fork();
  cluster.on("exit", (worker, code, signal) => {
    if (!stopping) {
      log().error({ pid: worker.process.pid, code, signal }, "a web process ended; another takes its place");
      setTimeout(() => (stopping ? undefined : cluster.fork()), 500);
    } else if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(0);
  });
}

/** What Next answers with a bare 500: a method that fetch forbids, and a path that does not decode. */
function isServable({ method = "", url = "" }: IncomingMessage): boolean {
  if (["TRACE", "TRACK", "CONNECT"].includes(method) || !url.startsWith("/")) return false;
  try {
    decodeURIComponent(url.split("?")[0] ?? "");
    return true;
  } catch {
    return false;
  }
}

async function refuse(response: ServerResponse): Promise<void> {
  const refusal = refuseUnknownPath();
  response.writeHead(refusal.status, Object.fromEntries(refusal.headers)).end(await refusal.text());
}

async function serve(): Promise<void> {
  const dev = process.argv.includes("--dev");
  const { PORT, BASE_URL } = settings();
  const app = next({ dev, dir: ROOT, port: PORT, hostname: "0.0.0.0" });
  await app.prepare();
  const handle = app.getRequestHandler();
  const strictTransport = BASE_URL.startsWith("https:");
  const server = createServer((request, response) => {
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "unknown";
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Referrer-Policy", "no-referrer");
    if (strictTransport) response.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
    if (isServable(request)) void handle(request, response);
    else void refuse(response);
  });
  // A proxy in front keeps connections for about a minute; closing ours first would fail requests that are on their way.
  server.keepAliveTimeout = 65_000;
  server.headersTimeout = 70_000;
  server.requestTimeout = 30_000;
  server.listen(PORT);
  const stop = () => {
    server.close(() => void shutDown().then(() => process.exit(0)));
    server.closeIdleConnections();
    setTimeout(() => process.exit(0), DRAIN_MS).unref();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", () => {});
  process.on("disconnect", stop);
}
