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
  /** Everything that it has written to its log. */
  log(): string;
  /** Of the process that answers requests. */
  webPid(): number;
}

interface AppOptions {
  /** How many files a process may open. */
  descriptors?: number;
}

/**
 * Runs the production build on this file's database, after `withDatabase`. The sandbox that this process's services talk to is the
 * app's own, as in production.
 */
export function withApp(env: Record<string, string> = {}, { descriptors }: AppOptions = {}): App {
  let child: ChildProcess | undefined;
  const output: string[] = [];
  const app: App = { url: "", log: () => output.join(""), webPid: () => Number(/"pid":(\d+)/.exec(output.join(""))?.[1]) };
  beforeAll(async () => {
    const port = await reservePort();
    app.url = `http://127.0.0.1:${port}`;
    Object.assign(process.env, { PORT: String(port), BASE_URL: app.url, SANDBOX_URL: app.url });
    child = start(descriptors, { ...process.env, NODE_ENV: "production", LOG_LEVEL: "info", WEB_CONCURRENCY: "1", ...env });
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

/** Both ranges lie below the ports that an operating system gives out by itself. */
const LOCKS_FROM = 10_000;
const PORTS_FROM = 20_000;
const PORTS = 10_000;

/**
 * Returns a port that no other test process takes while this one lives, also in the seconds until the app listens on it. This process
 * listens on the port's lock; another one that finds the lock taken picks another port.
 */
async function reservePort(): Promise<number> {
  for (;;) {
    const n = randomInt(PORTS);
    const lock = await listenOn(LOCKS_FROM + n);
    const probe = lock && (await listenOn(PORTS_FROM + n));
    if (probe) {
      await new Promise((done) => probe.close(done));
      return PORTS_FROM + n;
    }
    lock?.close();
  }
}

/** Resolves to undefined where somebody else listens. */
const listenOn = (port: number) =>
  new Promise<Server | undefined>((done) => {
    const server = createServer().unref();
    server.once("error", () => done(undefined));
    server.listen(port, "127.0.0.1", () => done(server));
  });

function start(descriptors: number | undefined, env: NodeJS.ProcessEnv): ChildProcess {
  const command = `${descriptors === undefined ? "" : `ulimit -n ${descriptors}; `}exec "$0" "$@"`;
  const args = ["-c", command, process.execPath, join(ROOT, "server/web.ts")];
  return spawn("/bin/sh", args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
}
