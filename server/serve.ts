import { globSync } from "node:fs";
import { join, relative } from "node:path";
import { watchPool } from "#db/watchdog.ts";
import { settings } from "#lib/env.ts";
import { isOfPeople } from "#lib/faces.ts";
import { log } from "#lib/log.ts";
import { shutDown } from "#lib/shutdown.ts";
import { startSandboxClock } from "#sandbox/clock.ts";
import { systemContext } from "#services/context.ts";
import { endLeasesOf } from "#services/idempotency/index.ts";
import { limitsFor, openFilesLimit } from "./connections.ts";
import { sendConsoleToLog } from "./console-to-log.ts";
import { MAX_FORWARDERS, type UntrustedForwarder } from "./forwarders.ts";
import { createBorderServer, type Handle, pathOf } from "./http-server.ts";
import { loadRoutes, type Routes } from "./routes/serve-routes.ts";
import { ROOT } from "./runtime.ts";

/** After a signal to stop, requests under way have this long to finish. */
const DRAIN_MS = 8_000;

interface Parts {
  /** Loads the routes, which Next does not answer. */
  routesOf?: () => Promise<Routes>;
  /** Prepares the handler of pages. */
  pagesOf?: (dev: boolean) => Promise<Handle>;
}

const loadPages = async (dev: boolean) => (await import("./next-pages.ts")).nextPages(dev);

/** Answers requests in this process until a signal or the parent's end stops it. */
export async function serve({ routesOf = loadRoutes, pagesOf = loadPages }: Parts = {}): Promise<void> {
  // This process has two copies of the code, its own imports and Next's bundle (lib/shared.ts). Both read settings from the environment.
  const dev = process.argv.includes("--dev");
  if (!dev) sendConsoleToLog();
  const { DATABASE_URL, PORT, BASE_URL, DASHBOARD_URL, TRUSTED_PROXIES, OJA_ENDED_PROCESSES, OJA_TEST_MODE } = settings();
  const [routes, pages] = await Promise.all([dev ? undefined : routesOf(), pagesOf(dev)]);
  watchPool(DATABASE_URL);
  if (OJA_ENDED_PROCESSES.length > 0) void endLeases(OJA_ENDED_PROCESSES);
  // The sandbox's bank, issuer and aggregators work within this process.
  if (OJA_TEST_MODE) startSandboxClock();
  const staticFiles = dev ? new Set<string>() : builtFiles();
  const reported = new Set<string>();
  const server = createBorderServer({
    handle: routes ? byRoutesThenPages(routes, staticFiles, pages) : pages,
    limits: limitsFor(openFilesLimit()),
    trustedProxies: TRUSTED_PROXIES,
    hosts: new Set([BASE_URL, DASHBOARD_URL].map((url) => new URL(url).host)),
    strictTransport: [BASE_URL, DASHBOARD_URL].some((url) => url.startsWith("https:")),
    staticFiles,
    isPage: routes ? routes.isPage : (request) => isOfPeople(pathOf(request)),
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

/** No request waits for this. If it fails, the leases expire. */
const endLeases = (processIds: string[]): Promise<void> =>
  endLeasesOf(systemContext("web"), processIds).catch((error) =>
    log().warn({ err: error }, "the leases of an ended web process could not be ended; they expire by themselves"),
  );

/** Next gets only pages and its own files. In development it gets every request, so that a saved route is compiled again. */
function byRoutesThenPages(routes: Routes, staticFiles: ReadonlySet<string>, pages: Handle): Handle {
  return async (request, response) => {
    if (staticFiles.has(pathOf(request)) || !(await routes.answer(request, response))) await pages(request, response);
  };
}

/** Returns the URL paths of the build's files for browsers, and of the files in `public`. */
function builtFiles(): ReadonlySet<string> {
  return new Set([...urlPathsOf(".next/static").map((path) => `/_next/static/${path}`), ...urlPathsOf("public").map((path) => `/${path}`)]);
}

function urlPathsOf(folder: string): string[] {
  const files = globSync("**/*", { cwd: join(ROOT, folder), withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(join(ROOT, folder), join(parentPath, name)).replaceAll("\\", "/"));
}
