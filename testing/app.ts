import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ROOT } from "../server/runtime.ts";
import { until } from "./until.ts";

export interface App {
  url: string;
  /** Returns everything that the app has written to its log. Lines of requests are written a moment after their answers. */
  log(): string;
  /** Returns the log with the lines of all requests that were answered before. */
  wholeLog(): Promise<string>;
  /** Returns the id of the process that answers requests. */
  webPid(): number;
}

interface AppOptions {
  /** Limits the files that a process may open. */
  descriptors?: number;
  /** Whether to run the processes of a real start, with Next's pages. Otherwise the app starts sooner and answers routes only. */
  pages?: boolean;
  /** The program, if it is another. */
  script?: string;
}

/**
 * Runs the product on this file's database; call `withDatabase` before it. The services of the test process call the app's own
 * sandbox, as in production.
 */
export function withApp(env: Record<string, string> = {}, { descriptors, pages = false, script = programOf(pages) }: AppOptions = {}): App {
  let child: ChildProcess | undefined;
  const output: string[] = [];
  const log = () => output.join("");
  const app: App = { url: "", log, wholeLog, webPid: () => Number(/"pid":(\d+)/.exec(log())?.[1]) };
  /** Lines of requests are written in the order of their answers, so the line of a last request comes after all others. */
  async function wholeLog(): Promise<string> {
    const last = await fetch(`${app.url}/api/v1/wallet`);
    await until(async () => log().includes(last.headers.get("request-id") ?? "no id"));
    return log();
  }
  beforeAll(async () => {
    const port = await reservePort();
    app.url = `http://127.0.0.1:${port}`;
    Object.assign(process.env, { PORT: String(port), BASE_URL: app.url, SANDBOX_URL: app.url });
    child = start(script, descriptors, { ...process.env, NODE_ENV: "production", LOG_LEVEL: "info", WEB_CONCURRENCY: "1", ...env });
    child.stdout?.on("data", (chunk) => output.push(String(chunk)));
    child.stderr?.on("data", (chunk) => output.push(String(chunk)));
    const ended = once(child, "exit").then(() => {
      throw new Error(`the app ended: ${output.join("")}`);
    });
    ended.catch(() => undefined);
    await Promise.race([ended, until(async () => (await fetch(`${app.url}/health`).catch(() => undefined))?.ok)]);
  });
  afterAll(async () => {
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  });
  return app;
}

const programOf = (pages: boolean) => (pages ? "server/web.ts" : "testing/without-pages.ts");

/** A connection that the parent hands to a process that has just died is never answered, as Node's cluster is made. */
export const GIVE_UP_MS = 2_000;

/** Returns whether the app answers, also where the first process that gets the question has died. */
export const isUp = ({ url }: App): Promise<boolean> =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(GIVE_UP_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Both ranges are below the ports that an operating system assigns by itself. */
const LOCKS_FROM = 10_000;
const PORTS_FROM = 20_000;
const PORT_COUNT = 10_000;

/**
 * Returns a port that no other test process takes while this process runs, also before the app listens on it. Each port has a second
 * port as its lock: this process listens on the lock, and a process that finds a lock taken picks another port.
 */
async function reservePort(): Promise<number> {
  for (;;) {
    const n = randomInt(PORT_COUNT);
    const lock = await listenOn(LOCKS_FROM + n);
    const probe = lock && (await listenOn(PORTS_FROM + n));
    if (probe) {
      await new Promise((done) => probe.close(done));
      return PORTS_FROM + n;
    }
    lock?.close();
  }
}

/** Resolves to undefined if the port is taken. */
const listenOn = (port: number) =>
  new Promise<Server | undefined>((done) => {
    const server = createServer().unref();
    server.once("error", () => done(undefined));
    server.listen(port, "127.0.0.1", () => done(server));
  });

function start(script: string, descriptors: number | undefined, env: NodeJS.ProcessEnv): ChildProcess {
  const command = `${descriptors === undefined ? "" : `ulimit -n ${descriptors}; `}exec "$0" "$@"`;
  const args = ["-c", command, process.execPath, join(ROOT, script)];
  return spawn("/bin/sh", args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
}
