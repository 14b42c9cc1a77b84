import cluster from "node:cluster";
import { globSync } from "node:fs";
import { join, relative } from "node:path";
import next from "next";
import { settings } from "#lib/env.ts";
import { isOfPeople } from "#lib/faces.ts";
import { log } from "#lib/log.ts";
import { shutDown } from "#lib/shutdown.ts";
import { limitsFor, openFilesLimit } from "./connections.ts";
import { sendConsoleToLog } from "./console-to-log.ts";
import { createBorderServer } from "./http-server.ts";
import { builtPages } from "./pages.ts";
import { ROOT } from "./runtime.ts";

/** After a signal to stop, requests under way have this long to finish. */
const DRAIN_MS = 8_000;

// This process has two copies of the code, its own imports and Next's bundle. Both read settings from the environment.
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
  // The parent has ended, so no other process would stop this one.
  process.on("disconnect", stop);
  for (let i = 0; i < count; i++) cluster.fork();
  cluster.on("message", warnOfForwarder());
  cluster.on("exit", (worker, code, signal) => {
    if (!stopping) {
      log().error({ pid: worker.process.pid, code, signal }, "a web process ended; another takes its place");
      setTimeout(() => (stopping ? undefined : cluster.fork()), 500);
    } else if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(0);
  });
}

interface UntrustedForwarder {
  untrustedForwarder: string;
}

/** Limits the warnings. More than one, because a stranger may send the header before the proxy does. */
const MAX_FORWARDERS = 5;

/** Returns a listener that warns of each address once, however many web processes report it. */
function warnOfForwarder(): (worker: unknown, message: Partial<UntrustedForwarder>) => void {
  const warned = new Set<string>();
  return (_worker, { untrustedForwarder: address }) => {
    if (address === undefined || warned.has(address) || warned.size >= MAX_FORWARDERS) return;
    warned.add(address);
    log().warn(
      { address },
      "X-Forwarded-For arrives from an address that TRUSTED_PROXIES does not name, and is ignored. If that is your proxy, name it: until then all of its clients count as one address",
    );
  };
}

async function serve(): Promise<void> {
  const dev = process.argv.includes("--dev");
  if (!dev) sendConsoleToLog();
  const { PORT, BASE_URL, DASHBOARD_URL, TRUSTED_PROXIES } = settings();
  const app = next({ dev, dir: ROOT, port: PORT, hostname: "0.0.0.0" });
  await app.prepare();
  const reported = new Set<string>();
  const server = createBorderServer({
    handle: app.getRequestHandler(),
    limits: limitsFor(openFilesLimit()),
    trustedProxies: TRUSTED_PROXIES,
    strictTransport: [BASE_URL, DASHBOARD_URL].some((url) => url.startsWith("https:")),
    staticFiles: dev ? new Set() : builtFiles(),
    isPage: dev ? isOfPeople : builtPages(),
    dev,
    onUntrustedForwarder: (address) => {
      if (reported.has(address) || reported.size >= MAX_FORWARDERS) return;
      reported.add(address);
      process.send?.({ untrustedForwarder: address } satisfies UntrustedForwarder);
    },
  });
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

/** Returns the URL paths of the build's files for browsers, and of the files in `public`. */
function builtFiles(): ReadonlySet<string> {
  return new Set([...urlPathsOf(".next/static").map((path) => `/_next/static/${path}`), ...urlPathsOf("public").map((path) => `/${path}`)]);
}

function urlPathsOf(folder: string): string[] {
  const files = globSync("**/*", { cwd: join(ROOT, folder), withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(join(ROOT, folder), join(parentPath, name)).replaceAll("\\", "/"));
}
